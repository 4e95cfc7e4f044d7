/** Shows a value of the page as a tree: expanded on demand, loaded in pieces, searched, and copied. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ErrorValue, Result } from '../../lib/platform-api/errors.ts';
import { plural } from '../../lib/shared/format.ts';
import {
  isComposite,
  pointerAsPath,
  previewOf,
  type RemoteValue,
} from '../../lib/extension/panel/shared/remote-value.ts';
import { toJson } from '../../lib/extension/panel/shared/value-json.ts';
import {
  findInValue,
  valueRows,
  withMore,
  type Fetched,
  type ValueRow,
} from '../../lib/extension/panel/shared/value-rows.ts';
import { Button } from './button.tsx';
import { VirtualTree } from './virtual-tree.tsx';
import './value-tree.css';

export interface ValueTreeProps {
  label: string;
  value: RemoteValue;
  /** Loads entries that were cut from the page. */
  expand: (handle: number, from: number, count: number) => Promise<Result<RemoteValue>>;
  /** With `handle`, copies the page's whole text. */
  copy: (text: string, handle?: number) => Promise<boolean>;
  /** Handle of the value's whole JSON text in the page. */
  wholeText?: number;
  maxHeight?: number;
  /** Hides the bar for search and copy. */
  bare?: boolean;
  /** Attributes of the element around the rows. */
  mark?: Record<string, string>;
}

/** Entries that are loaded at once. */
const PIECE = 100;

export function ValueTree({
  label,
  value,
  expand,
  copy,
  wholeText,
  maxHeight,
  bare,
  mark,
}: ValueTreeProps): JSX.Element {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [fetched, setFetched] = useState<Fetched>(new Map());
  const [selected, setSelected] = useState<string | null>(null);
  const [query, setQuery] = useState('');
  const [problem, setProblem] = useState<ErrorValue | null>(null);
  const [status, setStatus] = useState('');
  useEffect(() => {
    setToggled(new Set());
    setFetched(new Map());
    setSelected(null);
    setProblem(null);
    setStatus('');
  }, [value]);
  const found = useMemo(
    () => (query.trim() ? findInValue(value, query.trim(), fetched) : null),
    [value, query, fetched],
  );
  const rows = useMemo(() => found?.rows ?? valueRows(value, toggled, fetched), [value, toggled, fetched, found]);

  const toggle = (row: ValueRow): void => {
    const next = new Set(toggled);
    if (!next.delete(row.key)) next.add(row.key);
    setToggled(next);
    const { value } = row;
    // Cut at this depth: the first entries are loaded when it's expanded.
    if (
      !row.expanded &&
      isComposite(value) &&
      value.handle !== undefined &&
      (value.t === 'array' ? value.items : value.entries).length === 0
    )
      void more(value, row.key, 0, value.handle);
  };
  async function more(of: RemoteValue, key: string, from: number, handle: number | null): Promise<void> {
    if (handle === null || !isComposite(of))
      return setProblem({ code: 'VALUE_CUT', message: 'The rest of this value wasn’t recorded.' });
    const answer = await expand(handle, from, PIECE);
    setProblem(answer.ok ? null : answer.error);
    if (answer.ok) setFetched((old) => new Map(old).set(key, withMore(of, answer.value)));
  }
  async function copyValue(of: RemoteValue, handle: number | undefined): Promise<void> {
    const text = of.t === 'string' ? of.v : toJson(of, 2);
    setStatus((await copy(text, handle)) ? 'Copied' : 'The browser blocked copying');
  }
  const activate = (row: ValueRow): void => {
    if (row.rest) void more(row.value, row.rest.of, row.rest.from, row.rest.handle);
    else if (row.expanded !== null && !found) toggle(row);
  };
  const chosen = rows.find((row) => row.key === selected && !row.rest);
  const whole =
    chosen && chosen.key !== ''
      ? chosen.value.t === 'string'
        ? chosen.value.handle
        : undefined
      : (wholeText ?? (value.t === 'string' ? value.handle : undefined));
  return (
    <div class="value-tree">
      {bare ? null : (
        <div class="value-bar">
          <input
            class="input"
            type="search"
            aria-label={`Search in ${label}`}
            placeholder="Search"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
          {found ? <span class="muted">{plural(found.found, 'match', 'matches')}</span> : null}
          <span class="grow" />
          <span role="status" class="muted">
            {status}
          </span>
          <Button
            kind="quiet"
            title={chosen && chosen.key !== '' ? `Copy ${pointerAsPath(chosen.key)} as JSON` : 'Copy as JSON'}
            onClick={() => void copyValue(fetched.get(chosen?.key ?? '') ?? chosen?.value ?? value, whole)}
          >
            Copy
          </Button>
        </div>
      )}
      {problem ? (
        <p class="value-problem" role="status">
          {problem.message} {problem.hint}
        </p>
      ) : null}
      {rows.length === 0 ? (
        <p class="value-problem">No matches</p>
      ) : (
        <div class="value-rows" {...mark}>
          <VirtualTree
            label={label}
            rows={rows}
            shape={(row) => row}
            selected={selected}
            onSelect={(row) => {
              setSelected(row.key);
              if (row.rest) activate(row);
            }}
            onToggle={(row) => !found && toggle(row)}
            onActivate={activate}
            render={renderRow}
            rowHeight={18}
            maxHeight={maxHeight}
          />
        </div>
      )}
    </div>
  );
}

function renderRow(row: ValueRow): JSX.Element {
  if (row.rest)
    return (
      <span class="value-rest">
        {row.rest.handle === null
          ? `${plural(row.rest.count, 'more entry', 'more entries')} not recorded`
          : `Show ${Math.min(PIECE, row.rest.count)} of ${plural(row.rest.count, 'more entry', 'more entries')}`}
      </span>
    );
  return (
    <span class="value-line untrusted" title={row.value.t === 'string' ? row.value.v.slice(0, 1000) : undefined}>
      {row.name === null ? null : (
        <>
          <span class="value-name">{row.name}</span>:{' '}
        </>
      )}
      <ValueText value={row.value} room={row.name === null && row.expanded === null ? 2000 : 160} />
    </span>
  );
}

/** A value in one line, colored by its type. */
export function ValueText({ value, room = 80 }: { value: RemoteValue; room?: number }): JSX.Element {
  return <span class={`value value-${value.t} untrusted`}>{previewOf(value, room)}</span>;
}
