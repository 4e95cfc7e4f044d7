/** Owns two runs compared: which, how they ended, where they first differ, and every step of both beside each other. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { createCompare, type Compare } from '../../../../lib/extension/panel/run/compare/compare.ts';
import type { ComparedRun, Comparison } from '../../../../lib/extension/panel/run/compare/compare-runs.ts';
import {
  detailWords,
  placeWords,
  remarks,
  rowWords,
} from '../../../../lib/extension/panel/run/compare/compare-words.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, formatTime, plural } from '../../../../lib/shared/format.ts';
import type { RunRecord } from '../../../../lib/extension/panel/run/history/run-store.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import { Alert, Button, Combobox, EmptyState, Splitter } from '../../../ui/index.ts';
import { CompareDetails } from './compare-details.tsx';
import { CompareRows } from './compare-rows.tsx';
import { StateIcon } from '../state-icon.tsx';
import './compare.css';

export function CompareView({ panel, run }: { panel: Panel; run: ShownRun }): JSX.Element {
  const { comparing, compare: choose } = panel.selection;
  const compare = useMemo(() => createCompare(panel.services.store, run), [panel, run]);
  const place = useRef<HTMLElement>(null);
  const wanted = comparing.value ?? '';
  useEffect(() => void compare.compareWith(wanted), [compare, wanted]);
  // Escape leads back from the start.
  useEffect(() => place.current?.focus(), []);
  const { state, value, error } = compare.comparison.value;
  return (
    <section
      ref={place}
      class="run compare"
      aria-label="Compare runs"
      data-compare={state}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // DevTools, which listens at the document, would open its drawer and give the focus to it.
        event.stopPropagation();
        choose(null);
      }}
    >
      <Head compare={compare} run={run} onBack={() => choose(null)} onChoose={choose} />
      {error ? (
        <Alert error={error} actions={<Button onClick={() => void compare.compareWith(wanted)}>Try again</Button>} />
      ) : null}
      {value ? (
        <Body panel={panel} compare={compare} comparison={value} />
      ) : state === 'loading' ? (
        <p class="remark" role="status">
          Reading both runs…
        </p>
      ) : error ? null : (
        <EmptyState title="There is no run to compare with">
          <p>
            Choose one above. Runs of this action are kept each time it runs; runs of a file come in by Import, under
            Past runs.
          </p>
        </EmptyState>
      )}
    </section>
  );
}

function Head({
  compare,
  run,
  onBack,
  onChoose,
}: {
  compare: Compare;
  run: ShownRun;
  onBack: () => void;
  onChoose: (id: string) => void;
}): JSX.Element {
  const { subject, number } = run.record;
  return (
    <header class="section-head run-head compare-head">
      <Button kind="quiet" label={`Back to run ${number}`} title="Back to the run (Esc)" onClick={onBack}>
        ←
      </Button>
      <h2>Run {number} compared with</h2>
      <Combobox
        name="other-run"
        label="Run to compare with"
        placeholder={compare.choices.value.length > 0 ? 'Choose a run' : 'No other run'}
        empty="No other run is kept."
        options={compare.choices.value.map((one) => ({
          value: one.id,
          label: runLabel(one),
          hint:
            one.subject === subject
              ? formatTime(one.startedAt, { seconds: true })
              : `${one.title} · ${formatTime(one.startedAt, { seconds: true })}`,
        }))}
        value={compare.other.value?.id ?? null}
        onPick={onChoose}
      />
      <span class="grow" />
      <Button
        kind="quiet"
        pressed={compare.isOnlyDifferences.value}
        title="Show only what differs, and what it stands in"
        onClick={() => compare.filter(!compare.isOnlyDifferences.peek())}
      >
        Only differences
      </Button>
    </header>
  );
}

const runLabel = ({ number, state, milliseconds }: RunRecord): string =>
  `Run ${number} · ${state}${state === 'interrupted' ? '' : ` · ${formatDuration(milliseconds)}`}`;

function Body({ panel, compare, comparison }: { panel: Panel; compare: Compare; comparison: Comparison }): JSX.Element {
  const details = useRef<HTMLDivElement>(null);
  const row = comparison.rows[compare.selected.value ?? -1] ?? null;
  const said = useMemo(() => remarks(comparison), [comparison]);
  return (
    <>
      <div class="compare-facts">
        <Facts comparison={comparison} />
        <Firsts compare={compare} comparison={comparison} />
        {said.map((each) => (
          <p key={each} class="remark untrusted">
            {each}
          </p>
        ))}
      </div>
      <div class="fill">
        <Splitter label="Size of steps and details" direction="rows" share={52}>
          <CompareRows
            panel={panel}
            compare={compare}
            comparison={comparison}
            onActivate={() => details.current?.querySelector<HTMLElement>('.vtree-row[tabindex="0"]')?.focus()}
          />
          <div ref={details} class="compare-place">
            {row ? (
              <CompareDetails key={row.id} panel={panel} comparison={comparison} row={row} />
            ) : (
              <p class="remark">Select a row to see both sides: its settings, what it did to the context, its error.</p>
            )}
          </div>
        </Splitter>
      </div>
    </>
  );
}

/** How both went, a line each. */
function Facts({ comparison: { before, now } }: { comparison: Comparison }): JSX.Element {
  const differ = (of: (run: ComparedRun) => unknown): string | undefined => (of(before) === of(now) ? undefined : '');
  const line = (word: string, run: ComparedRun): JSX.Element => (
    <tr data-side={word.toLowerCase()}>
      <th scope="row">{word}</th>
      <td>Run {run.record.number}</td>
      <td data-differs={differ(({ trace }) => trace.state)}>
        <StateIcon state={run.trace.state} /> <span aria-hidden="true">{run.trace.state}</span>
      </td>
      <td class="amount">{run.trace.state === 'interrupted' ? '' : formatDuration(run.trace.milliseconds)}</td>
      <td class="amount" data-differs={differ(({ trace }) => trace.steps.size)}>
        {plural(run.trace.steps.size, 'step')}
      </td>
      <td class="amount">{formatTime(run.record.startedAt, { seconds: true })}</td>
      <td class="detail" data-differs={differ(detailWords)}>
        {detailWords(run)}
      </td>
    </tr>
  );
  return (
    <table class="facts" aria-label="Both runs">
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Side</th>
          <th scope="col">Run</th>
          <th scope="col">Outcome</th>
          <th scope="col">Took</th>
          <th scope="col">Steps</th>
          <th scope="col">Started</th>
          <th scope="col">Recorded</th>
        </tr>
      </thead>
      <tbody>
        {line('Before', before)}
        {line('Now', now)}
      </tbody>
    </table>
  );
}

/** Where to look first. */
function Firsts({ compare, comparison }: { compare: Compare; comparison: Comparison }): JSX.Element {
  const { firsts, rows, different, steps } = comparison;
  if (firsts.length === 0)
    return (
      <p class="first" role="status" data-first-words="">
        <strong>
          {comparison.unknown > 0 ? 'No difference was found in what was recorded.' : 'The runs do not differ.'}
        </strong>
      </p>
    );
  return (
    <p class="first" role="status" data-first-words="">
      {firsts.map((id, index) => {
        const row = rows[id];
        return (
          row && (
            <span key={id} class="first-line">
              <strong>{index === 0 ? 'First difference' : 'Then'}:</strong>{' '}
              <button type="button" class="link" title="Show it" onClick={() => compare.select(id)}>
                {placeWords(row)}
              </button>
              : <span class="untrusted">{rowWords(comparison, row)[0]}</span>
            </span>
          )
        );
      })}
      {different > 0 ? (
        <span class="muted">
          {different.toLocaleString('en')} of {plural(steps, 'step')} differ{different === 1 ? 's' : ''}
        </span>
      ) : null}
    </p>
  );
}
