/** The displayed run's timeline: its filters, and one row per step and iteration, with a bar for its duration. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { missingText, unstoredText } from '../../../../lib/extension/panel/run/describe-steps.ts';
import type { PipelineNode } from '../../../../lib/extension/panel/run/pipeline-tree.ts';
import { type Progress, silentSeconds } from '../../../../lib/extension/panel/run/run-clock.ts';
import type { StepFilter } from '../../../../lib/extension/panel/run/timeline/filter.ts';
import {
  createTimelineRows,
  isExpanded,
  stepKey,
  timesOf,
  type TimelineRow,
} from '../../../../lib/extension/panel/run/timeline/rows.ts';
import { StepTexts } from '../../../../lib/extension/panel/run/timeline/step-texts.ts';
import type { Trace, TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { isLetter } from '../../../../lib/shared/keys.ts';
import { Button, EmptyState } from '../../../ui/index.ts';
import { VirtualTree } from '../../../ui/virtual-tree.tsx';
import { RULER_HEIGHT, RULER_MIN_WIDTH, TimeRuler } from './time-ruler.tsx';
import { TimelineBar } from './timeline-bar.tsx';
import { Row } from './timeline-row.tsx';
import './timeline.css';

/** After this many milliseconds, the timeline scrolls to follow a run in progress. Shorter runs stay at the top. */
const FOLLOW_AFTER = 1500;

const NO_NODES: readonly PipelineNode[] = [];

export interface TimelineProps {
  panel: Panel;
  trace: Trace;
  progress: Progress;
}

export function Timeline({ panel, trace, progress }: TimelineProps): JSX.Element {
  const { selection, runs } = panel;
  void runs.version.value;
  const shown = runs.shown.value;
  const nodes = shown ? panel.nodesOf(shown) : NO_NODES;
  const texts = useMemo(() => new StepTexts(trace, nodes), [trace, nodes]);
  const rows = useRows(panel, trace, texts);
  if (trace.order.length === 0) return <NoSteps trace={trace} isPaused={progress.isPaused} />;
  const unstored = unstoredText(trace);
  return (
    <div class="timeline" data-timeline="" onKeyDown={(event) => handleKey(panel, event)}>
      <TimelineBar panel={panel} trace={trace} rows={rows} texts={texts} />
      {rows.length === 0 ? (
        <EmptyState
          title="No steps match these filters"
          actions={<Button onClick={selection.clearFilter}>Clear filters</Button>}
        />
      ) : (
        <Rows panel={panel} trace={trace} progress={progress} rows={rows} texts={texts} />
      )}
      {unstored ? (
        <p class="remark" data-unstored="">
          {unstored}
        </p>
      ) : null}
    </div>
  );
}

function useRows({ selection, runs }: Panel, trace: Trace, texts: StepTexts): readonly TimelineRow[] {
  const collapsed = selection.collapsedRows.value;
  const { choice, query, hidesUnmatched } = selection.filter.value;
  const list = useMemo(() => {
    const isFiltered = choice.kind !== 'all' || query.trim() !== '' || hidesUnmatched;
    const filter: StepFilter | null = isFiltered
      ? { choice, query: query.trim().toLowerCase(), hidesUnmatched, textOf: (step) => texts.searchText(step) }
      : null;
    return createTimelineRows(trace, { collapsed, hasSingleStep: texts.hasSingleStep, filter });
  }, [trace, collapsed, texts, choice, query, hidesUnmatched]);
  // Filtering goes through all steps, so it isn't repeated while the user scrolls.
  return useMemo(list, [list, runs.version.value, trace.order.length]);
}

function handleKey({ selection }: Panel, event: KeyboardEvent): void {
  const isTyping = event.target instanceof Element && event.target.matches('input, select');
  if (isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === 'Escape' && selection.step.peek() !== null) selection.clear();
  else if (isLetter(event, 'N')) selection.selectFailure(event.shiftKey ? -1 : 1);
  else return;
  // Otherwise, DevTools would handle Escape, too, and open its drawer.
  event.stopPropagation();
}

interface RowsProps extends TimelineProps {
  rows: readonly TimelineRow[];
  texts: StepTexts;
}

function Rows({ panel, trace, progress, rows, texts }: RowsProps): JSX.Element {
  const { selection } = panel;
  void panel.runs.version.value;
  const collapsed = selection.collapsedRows.value;
  const step = selection.step.value;
  const selected = selection.iteration.value ?? (step === null ? null : String(step));
  const silent = silentStep(trace, progress);
  const breaks = panel.breaks.value;
  return (
    <VirtualTree
      label="Timeline"
      role="treegrid"
      rows={rows}
      header={<TimeRuler total={progress.elapsed} />}
      headerHeight={RULER_HEIGHT}
      headerMinWidth={RULER_MIN_WIDTH}
      shape={(row) => ({ key: row.key, level: row.level, expanded: isExpanded(row, collapsed) })}
      attributes={(row) => attributesOf(row, trace)}
      selected={selected}
      onSelect={(row) =>
        row.kind === 'step' ? selection.selectStep(row.step.id) : selection.selectIteration(row.step.id)
      }
      onActivate={(row) => selection.showStepDetails(row.step.id)}
      onToggle={({ key }, expanded) => selection.setRowCollapsed(key, !expanded)}
      follow={trace.state === 'running' && progress.elapsed > FOLLOW_AFTER}
      render={(row) => (
        <Row
          panel={panel}
          row={row}
          trace={trace}
          texts={texts}
          expanded={isExpanded(row, collapsed)}
          progress={progress}
          silent={row.step === silent?.step ? silent.seconds : null}
          hasBreakpoint={row.kind === 'step' && row.step.kind === 'function' && breaks.has(row.step.name)}
        />
      )}
    />
  );
}

function attributesOf(row: TimelineRow, trace: Trace): Record<string, string | undefined> {
  const { step } = row;
  if (row.kind === 'iteration')
    return { 'data-iteration-row': step.iteration.join('.'), 'data-state': timesOf(trace, row).state };
  return {
    'data-step': stepKey(step),
    'data-path': step.path ?? '',
    'data-iteration': step.iteration.join('.'),
    'data-state': step.state,
    'data-outcome-by': step.replaced,
    'data-failing': step.id === trace.failedStep ? '' : undefined,
    'data-paused': step.id === trace.paused?.step ? '' : undefined,
  };
}

/** The innermost running step, if the run has reported nothing for long. */
function silentStep(trace: Trace, { elapsed, isPaused }: Progress): { step: TraceStep; seconds: number } | null {
  const seconds = trace.state === 'running' && !isPaused ? silentSeconds(trace.milliseconds, elapsed) : null;
  const step = seconds === null ? undefined : trace.order.findLast(({ state }) => state === 'running');
  return step && seconds !== null ? { step, seconds } : null;
}

function NoSteps({ trace, isPaused }: { trace: Trace; isPaused: boolean }): JSX.Element {
  if (trace.state === 'running' && isPaused) return <EmptyState title="Paused in the debugger" />;
  if (trace.state === 'running')
    return (
      <EmptyState title="Running…">
        <p>Steps appear here as they start.</p>
      </EmptyState>
    );
  if (trace.tracing === 'bare')
    return (
      <EmptyState title="No steps to show">
        <p>This page’s runtime reports only the start and end of a run. If available, select “Reload with tracing”.</p>
      </EmptyState>
    );
  if (trace.unstored && trace.unstored.steps !== 0)
    return (
      <EmptyState title="Steps not stored">
        <p>The steps were too large, were removed to save space, or couldn’t be written.</p>
      </EmptyState>
    );
  const missing = missingText(trace);
  return (
    <EmptyState title={missing ? 'No steps recorded' : 'No steps ran'}>{missing ? <p>{missing}</p> : null}</EmptyState>
  );
}
