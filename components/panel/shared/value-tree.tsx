/** Shows a value from the page as a tree: expanded on demand, loaded in chunks, searchable, and copyable. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ErrorValue, Result } from '../../../lib/platform-api/errors.ts';
import { plural } from '../../../lib/shared/format.ts';
import {
  isComposite,
  pointerAsPath,
  previewOf,
  type RemoteValue,
} from '../../../lib/extension/panel/shared/remote-value.ts';
import { toJson } from '../../../lib/extension/panel/shared/value-json.ts';
import {
  findInValue,
  valueRows,
  withMore,
  type Fetched,
  type ValueRow,
} from '../../../lib/extension/panel/shared/value-rows.ts';
import { Button } from '../../ui/button.tsx';
import { VirtualTree } from '../../ui/virtual-tree.tsx';
import './value-tree.css';

export interface ValueTreeProps {
  label: string;
  value: RemoteValue;
  /** Loads entries that the page left out. */
  expand: (handle: number, from: number, count: number) => Promise<Result<RemoteValue>>;
  /** With a `handle`, copies the full text from the page. */
  copy: (text: string, handle?: number) => Promise<boolean>;
  /** Handle of the value's full JSON text in the page. */
  wholeText?: number;
  maxHeight?: number;
  /** Hides the search and copy bar. */
  bare?: boolean;
  /** Attributes of the element that contains the rows. */
  mark?: Record<string, string>;
  /** Replaces a value by another one, given as JSON. Resolves to why it isn’t replaced; null if it is. */
  edit?: EditValue | undefined;
  /** Called with whether a value has a new text that isn’t applied. */
  onDraft?: ((hasDraft: boolean) => void) | undefined;
}

type EditValue = (pointer: string, json: string) => Promise<ErrorValue | null>;

/** Entries per request. */
const PIECE = 100;

export function ValueTree(props: ValueTreeProps): JSX.Element {
  const { label, maxHeight, bare, mark, edit, onDraft } = props;
  const [editing, setEditing] = useState<string | null>(null);
  const done = (): void => setEditing(null);
  const [selected, setSelected] = useState<string | null>(null);
  const [query, setQuery] = useState('');
  const entries = useEntries(props);
  const { found, rows } = useRows(props.value, query.trim(), entries);
  useEffect(() => setSelected(null), [props.value]);
  useEffect(() => setEditing(null), [props.value, edit !== undefined]);
  const chosen = rows.find((row) => row.key === selected && !row.rest && row.key !== '');
  const activate = (row: ValueRow): void => {
    if (row.rest) void entries.load(row.value, row.rest.of, row.rest.from, row.rest.handle);
    else if (row.expanded !== null && found === null) entries.toggle(row);
    else if (edit && isEditable(row)) setEditing(row.key);
  };
  return (
    <div class="value-tree">
      {bare ? null : (
        <SearchBar label={label} query={query} found={found} onQuery={setQuery}>
          <CopyValue {...props} chosen={chosen} fetched={entries.fetched} />
        </SearchBar>
      )}
      {entries.problem ? <Problem error={entries.problem} /> : null}
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
            onToggle={(row) => found === null && entries.toggle(row)}
            onActivate={activate}
            render={(row) =>
              edit && editing === row.key ? (
                <ValueInput row={row} edit={edit} onDraft={onDraft} onDone={done} />
              ) : (
                renderRow(row)
              )
            }
            rowHeight={18}
            maxHeight={maxHeight}
          />
        </div>
      )}
    </div>
  );
}

interface SearchBarProps extends Pick<ValueTreeProps, 'label'> {
  query: string;
  /** The number of matches; null without a query. */
  found: number | null;
  onQuery: (query: string) => void;
  children: JSX.Element;
}

const SearchBar = ({ label, query, found, onQuery, children }: SearchBarProps): JSX.Element => (
  <div class="value-bar">
    <input
      class="input"
      type="search"
      aria-label={`Search in ${label}`}
      placeholder="Search"
      value={query}
      onInput={(event) => onQuery(event.currentTarget.value)}
    />
    {found === null ? null : <span class="muted">{plural(found, 'match', 'matches')}</span>}
    <span class="grow" />
    {children}
  </div>
);

const Problem = ({ error: { message, hint } }: { error: ErrorValue }): JSX.Element => (
  <p class="value-problem" role="status">
    {message} {hint}
  </p>
);

interface Entries {
  /** Keys of rows that the user expanded or collapsed. */
  toggled: ReadonlySet<string>;
  fetched: Fetched;
  problem: ErrorValue | null;
  toggle(row: ValueRow): void;
  load(of: RemoteValue, key: string, from: number, handle: number | null): Promise<void>;
}

/** Tracks which rows are expanded, and entries loaded from the page. */
function useEntries({ value, expand }: Pick<ValueTreeProps, 'value' | 'expand'>): Entries {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [fetched, setFetched] = useState<Fetched>(new Map());
  const [problem, setProblem] = useState<ErrorValue | null>(null);
  useEffect(() => {
    setToggled(new Set());
    setFetched(new Map());
    setProblem(null);
  }, [value]);

  async function load(of: RemoteValue, key: string, from: number, handle: number | null): Promise<void> {
    if (handle === null || !isComposite(of))
      return setProblem({ code: 'VALUE_CUT', message: 'The rest of this value wasn’t recorded.' });
    const answer = await expand(handle, from, PIECE);
    setProblem(answer.ok ? null : answer.error);
    if (answer.ok) setFetched((old) => new Map(old).set(key, withMore(of, answer.value)));
  }
  function toggle({ key, expanded, value }: ValueRow): void {
    const next = new Set(toggled);
    if (!next.delete(key)) next.add(key);
    setToggled(next);
    if (expanded || !isComposite(value) || value.handle === undefined) return;
    // The page left out entries at this depth, so expanding loads the first ones.
    if ((value.t === 'array' ? value.items : value.entries).length === 0) void load(value, key, 0, value.handle);
  }
  return { toggled, fetched, problem, toggle, load };
}

/** The rows to show. With a query, only the matching rows and their number. */
function useRows(value: RemoteValue, query: string, { toggled, fetched }: Entries) {
  const matches = useMemo(() => (query ? findInValue(value, query, fetched) : null), [value, query, fetched]);
  const rows = useMemo(() => matches?.rows ?? valueRows(value, toggled, fetched), [value, toggled, fetched, matches]);
  return { rows, found: matches?.found ?? null };
}

interface CopyValueProps extends Pick<ValueTreeProps, 'value' | 'copy' | 'wholeText'> {
  /** The selected row, unless it's the root. */
  chosen: ValueRow | undefined;
  fetched: Fetched;
}

/** Copies the selected entry or the whole value. */
function CopyValue({ value, copy, wholeText, chosen, fetched }: CopyValueProps): JSX.Element {
  const [status, setStatus] = useState('');
  useEffect(() => setStatus(''), [value]);
  const copyValue = async (): Promise<void> => {
    const copied = fetched.get(chosen?.key ?? '') ?? chosen?.value ?? value;
    const handle = copied.t === 'string' ? copied.handle : undefined;
    const text = copied.t === 'string' ? copied.v : toJson(copied, 2);
    setStatus((await copy(text, chosen ? handle : (wholeText ?? handle))) ? 'Copied' : 'The browser blocked copying');
  };
  return (
    <>
      <span role="status" class="muted">
        {status}
      </span>
      <Button
        kind="quiet"
        title={chosen ? `Copy ${pointerAsPath(chosen.key)} as JSON` : 'Copy as JSON'}
        onClick={() => void copyValue()}
      >
        Copy
      </Button>
    </>
  );
}

/** Whether a row shows all of a value that JSON has. */
function isEditable({ key, value }: ValueRow): boolean {
  if (key === '') return false;
  if (value.t === 'string') return value.v.length === value.length;
  return value.t === 'null' || value.t === 'boolean' || (value.t === 'number' && typeof value.v === 'number');
}

interface ValueInputProps extends Pick<ValueTreeProps, 'onDraft'> {
  row: ValueRow;
  edit: EditValue;
  onDone: () => void;
}

/** Edits a value in its row. Enter applies the text, Escape discards it. */
function ValueInput({ row, edit, onDraft, onDone }: ValueInputProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const before = toJson(row.value);
  const [problem, setProblem] = useState<ErrorValue | null>(null);
  useEffect(() => input.current?.select(), []);
  useEffect(() => () => onDraft?.(false), []);
  const close = (): void => {
    input.current?.closest<HTMLElement>('[role=treeitem]')?.focus();
    onDone();
  };
  const apply = async (text: string): Promise<void> => {
    if (text === before) return close();
    const error = await edit(row.key, text);
    if (error) setProblem(error);
    else close();
  };
  return (
    <span class="value-line editing">
      <span class="value-name">{row.name}</span>:{' '}
      <input
        ref={input}
        class="input value-input"
        aria-label={`${pointerAsPath(row.key)} as JSON`}
        aria-invalid={problem ? 'true' : undefined}
        title={problem ? `${problem.message} ${problem.hint ?? ''}` : 'Enter applies, Esc discards'}
        autocomplete="off"
        spellcheck={false}
        defaultValue={before}
        onInput={(event) => {
          setProblem(null);
          onDraft?.(event.currentTarget.value !== before);
        }}
        onBlur={(event) => event.currentTarget.value === before && onDone()}
        onDblClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          // The keys of the tree and of the debugger mean nothing here.
          event.stopPropagation();
          if (event.key === 'Enter' && !event.isComposing) void apply(event.currentTarget.value);
          else if (event.key === 'Escape') close();
        }}
      />
      {problem ? (
        <span class="problem" role="alert">
          {problem.message}
        </span>
      ) : null}
    </span>
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

/** A value on one line, colored by type. */
export function ValueText({ value, room = 80 }: { value: RemoteValue; room?: number }): JSX.Element {
  return <span class={`value value-${value.t} untrusted`}>{previewOf(value, room)}</span>;
}
