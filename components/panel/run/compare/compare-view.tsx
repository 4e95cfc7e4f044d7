/** Compares two runs: their outcomes, their first difference, and all steps side by side. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ComparedRun, Comparison } from '../../../../lib/extension/panel/run/compare/compare-runs.ts';
import { Compare } from '../../../../lib/extension/panel/run/compare/compare.ts';
import {
  detailText,
  noDifferencesText,
  remarksOf,
} from '../../../../lib/extension/panel/run/compare/describe-comparison.ts';
import { VOLATILE_PATHS } from '../../../../lib/extension/panel/run/compare/volatile/volatile-paths.ts';
import { differenceTexts, locationText } from '../../../../lib/extension/panel/run/compare/describe-differences.ts';
import { stateText } from '../../../../lib/extension/panel/run/describe-badges.ts';
import { stepsText } from '../../../../lib/extension/panel/run/describe-steps.ts';
import type { RunRecord } from '../../../../lib/extension/panel/run/history/run-store.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatCount, formatDuration, formatTime, plural } from '../../../../lib/shared/format.ts';
import { Alert, Button, Combobox, EmptyState, Splitter, DateTime } from '../../../ui/index.ts';
import { StateIcon } from '../state-icon.tsx';
import { CompareDetails } from './compare-details.tsx';
import { CompareRows } from './compare-rows.tsx';
import { IgnoredPaths } from './ignored-paths.tsx';
import './compare.css';
import { Loading } from '../../shared/loading.tsx';
import { takeEscape } from '../../shared/take-escape.ts';

export function CompareView({ panel, run }: { panel: Panel; run: ShownRun }): JSX.Element {
  const { selection } = panel;
  const compare = useMemo(() => createCompare(panel, run), [panel, run]);
  const root = useRef<HTMLElement>(null);
  const wanted = selection.comparing.value ?? '';
  const load = (): void => void compare.compareWith(wanted);
  const close = (): void => selection.compare(null);
  useEffect(load, [compare, wanted]);
  // Focus the view so that Escape closes it right away.
  useEffect(() => root.current?.focus(), []);
  const { state, value, error } = compare.comparison.value;
  return (
    <section
      ref={root}
      class="run compare"
      aria-label="Compare runs"
      data-compare={state}
      data-wholeness={compare.wholeness.value}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (takeEscape(event)) close();
      }}
    >
      <CompareHeader compare={compare} run={run} onBack={close} onChoose={selection.compare} />
      {error ? <Alert error={error} actions={<Button onClick={load}>Try again</Button>} /> : null}
      {value ? <CompareBody panel={panel} compare={compare} comparison={value} /> : null}
      {!value && state === 'loading' ? <Loading>Loading both runs…</Loading> : null}
      {state === 'idle' ? (
        <EmptyState title="No run to compare with">
          <p>Choose a run above, run the action again, or import runs under “Past runs”.</p>
        </EmptyState>
      ) : null}
    </section>
  );
}

function createCompare(panel: Panel, run: ShownRun): Compare {
  const volatile = panel.mockDocuments.of(run.record.subject, VOLATILE_PATHS);
  return new Compare({ store: panel.services.store, recordingOf: (of) => panel.recordingOf(of), volatile }, run);
}

interface CompareHeaderProps {
  compare: Compare;
  run: ShownRun;
  onBack: () => void;
  onChoose: (id: string) => void;
}

function CompareHeader({ compare, run, onBack, onChoose }: CompareHeaderProps): JSX.Element {
  const { subject, number } = run.record;
  const choices = compare.choices.value;
  const hintOf = (choice: RunRecord): string => {
    const time = formatTime(choice.startedAt, { seconds: true });
    return choice.subject === subject ? time : `${choice.title} · ${time}`;
  };
  return (
    <header class="section-head run-head compare-head">
      <Button kind="quiet" label={`Back to run ${number}`} title="Back to the run (Esc)" onClick={onBack}>
        ←
      </Button>
      <h2>Run {number} compared with</h2>
      <Combobox
        name="other-run"
        label="Run to compare with"
        placeholder={choices.length > 0 ? 'Choose a run' : 'No other runs'}
        empty="No other runs"
        options={choices.map((choice) => ({ value: choice.id, label: runLabel(choice), hint: hintOf(choice) }))}
        value={compare.other.value?.id ?? null}
        onPick={onChoose}
      />
      <span class="grow" />
      <IgnoredPaths compare={compare} ignored={compare.comparison.value.value?.volatility.ignored ?? 0} />
      <Button
        kind="quiet"
        pressed={compare.onlyDifferences.value}
        title="Show only rows that differ"
        onClick={() => compare.setOnlyDifferences(!compare.onlyDifferences.peek())}
      >
        Only differences
      </Button>
    </header>
  );
}

const endOf = ({ record, trace }: ComparedRun): string => stateText({ ...record, state: trace.state });

function runLabel(record: RunRecord): string {
  const state = stateText(record);
  const hasEnd = state !== 'interrupted' && state !== 'unknown';
  return `Run ${record.number} · ${state}${hasEnd ? ` · ${formatDuration(record.milliseconds)}` : ''}`;
}

interface CompareBodyProps {
  panel: Panel;
  compare: Compare;
  comparison: Comparison;
}

function CompareBody({ panel, compare, comparison }: CompareBodyProps): JSX.Element {
  const details = useRef<HTMLDivElement>(null);
  const row = comparison.rows[compare.selected.value ?? -1] ?? null;
  const wholeness = compare.wholeness.value;
  const remarks = useMemo(() => remarksOf(comparison, wholeness), [comparison, wholeness]);
  return (
    <>
      <div class="compare-summary">
        <RunsTable comparison={comparison} />
        <FirstDifferences compare={compare} comparison={comparison} />
        <p class="remark" role="status" data-ignored-count="">
          {comparison.volatility.ignored > 0
            ? `${plural(comparison.volatility.ignored, 'difference is', 'differences are')} ignored as volatile.`
            : ''}
        </p>
        {remarks.map((remark) => (
          <p key={remark} class="remark untrusted">
            {remark}
          </p>
        ))}
      </div>
      <div class="fill">
        <Splitter label="Resize steps and details" direction="rows" share={52}>
          <CompareRows
            panel={panel}
            compare={compare}
            comparison={comparison}
            onActivate={() => details.current?.querySelector<HTMLElement>('.vtree-row[tabindex="0"]')?.focus()}
          />
          <div ref={details} class="compare-pane">
            {row ? (
              <CompareDetails key={row.id} panel={panel} compare={compare} comparison={comparison} row={row} />
            ) : (
              <p class="remark">Select a row to compare its settings, context, and error.</p>
            )}
          </div>
        </Splitter>
      </div>
    </>
  );
}

/** One line per run. */
function RunsTable({ comparison: { before, now } }: { comparison: Comparison }): JSX.Element {
  const differs = (of: (run: ComparedRun) => unknown): string | undefined => (of(before) === of(now) ? undefined : '');
  const line = (side: string, run: ComparedRun): JSX.Element => (
    <tr data-side={side.toLowerCase()}>
      <th scope="row">{side}</th>
      <td>Run {run.record.number}</td>
      <td data-differs={differs(endOf)}>
        <StateIcon state={endOf(run)} /> <span aria-hidden="true">{endOf(run)}</span>
      </td>
      <td class="amount">{run.trace.state === 'interrupted' ? '' : formatDuration(run.trace.milliseconds)}</td>
      <td class="amount" data-differs={differs(({ trace }) => stepsText(trace))}>
        {stepsText(run.trace)}
      </td>
      <td class="amount">
        <DateTime at={run.record.startedAt} seconds />
      </td>
      <td class="detail" data-differs={differs(detailText)}>
        {detailText(run)}
      </td>
    </tr>
  );
  return (
    <table class="facts" aria-label="Both runs">
      <thead class="visually-hidden">
        <tr>
          {['Side', 'Run', 'Outcome', 'Duration', 'Steps', 'Started', 'Recorded'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {line('Before', before)}
        {line('Now', now)}
      </tbody>
    </table>
  );
}

function FirstDifferences({ compare, comparison }: { compare: Compare; comparison: Comparison }): JSX.Element {
  const { firsts, rows, different, steps } = comparison;
  if (firsts.length === 0)
    return (
      <p class="first" role="status" data-first-words="">
        <strong>{noDifferencesText(comparison)}</strong>
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
              <button type="button" class="link" title="Select this row" onClick={() => compare.select(id)}>
                {locationText(row)}
              </button>
              : <span class="untrusted">{differenceTexts(comparison, row, compare.details.value.get(id))[0]}</span>
            </span>
          )
        );
      })}
      {different > 0 ? (
        <span class="muted">
          {formatCount(different)} of {plural(steps, 'step')} {different === 1 ? 'differs' : 'differ'}
        </span>
      ) : null}
    </p>
  );
}
