/** The displayed run's timeline: one row per step and iteration, with a bar for its duration. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { unstoredText } from '../../../lib/extension/panel/run/describe-steps.ts';
import type { PipelineNode } from '../../../lib/extension/panel/run/pipeline-tree.ts';
import { type Progress, silentSeconds } from '../../../lib/extension/panel/run/run-clock.ts';
import { barOf, createTimelineRows, isExpanded, markOf } from '../../../lib/extension/panel/run/timeline-rows.ts';
import type { Trace, TraceStep } from '../../../lib/extension/panel/run/trace.ts';
import { shortName } from '../../../lib/extension/panel/shared/short-name.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, plural } from '../../../lib/shared/format.ts';
import { EmptyState } from '../../ui/index.ts';
import { Twist, VirtualTree } from '../../ui/virtual-tree.tsx';
import { StateIcon } from './state-icon.tsx';
import { BreakpointMark } from './step-buttons.tsx';

/** After this many milliseconds, the timeline scrolls to follow a run in progress. Shorter runs stay at the top. */
const FOLLOW_AFTER = 1500;

const NO_NODES: readonly PipelineNode[] = [];

export interface TimelineProps {
  panel: Panel;
  trace: Trace;
  progress: Progress;
}

export function Timeline({ panel, trace, progress }: TimelineProps): JSX.Element {
  const { selection, runs, page } = panel;
  void runs.version.value;
  const collapsed = selection.collapsedSteps.value;
  const rows = useMemo(() => createTimelineRows(trace, collapsed), [trace, collapsed])();
  const shown = runs.shown.value;
  const nodes = shown && runs.isOfPage(shown.record) ? page.nodes.value : NO_NODES;
  const labels = useMemo(() => new Map(nodes.map((node) => [node.path, node.label])), [nodes]);
  const selected = selection.step.value;
  const breaks = panel.breaks.value;
  if (rows.length === 0) return <NoSteps trace={trace} isPaused={progress.isPaused} />;
  const unstored = unstoredText(trace);
  const silent = silentStep(trace, progress);
  return (
    <div
      class="timeline"
      data-timeline=""
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || selection.step.peek() === null) return;
        // Otherwise, DevTools would handle Escape, too, and open its drawer.
        event.stopPropagation();
        selection.clear();
      }}
    >
      <VirtualTree
        label="Timeline"
        role="treegrid"
        rows={rows}
        shape={(step) => ({ key: String(step.id), level: step.depth, expanded: isExpanded(step, collapsed) })}
        attributes={(step) => ({
          'data-step': String(step.id),
          'data-path': step.path ?? '',
          'data-iteration': step.iteration.join('.'),
          'data-state': step.state,
          'data-failing': step.id === trace.failedStep ? '' : undefined,
        })}
        selected={selected === null ? null : String(selected)}
        onSelect={(step) => selection.selectStep(step.id)}
        onActivate={(step) => selection.showStepDetails(step.id)}
        onToggle={(step, expanded) => selection.setStepCollapsed(step.id, !expanded)}
        follow={trace.state === 'running' && progress.elapsed > FOLLOW_AFTER}
        render={(step) => (
          <StepRow
            step={step}
            expanded={isExpanded(step, collapsed)}
            progress={progress}
            note={noteOf(step, trace, step === silent?.step ? silent.seconds : null)}
            label={step.kind === 'function' ? undefined : labels.get(step.path ?? '')}
            hasBreakpoint={step.kind === 'function' && breaks.has(step.name)}
            onToggle={(expanded) => selection.setStepCollapsed(step.id, !expanded)}
          />
        )}
      />
      {unstored ? (
        <p class="remark" data-unstored="">
          {unstored}
        </p>
      ) : null}
    </div>
  );
}

interface StepRowProps {
  step: TraceStep;
  expanded: boolean | null;
  progress: Progress;
  note: string;
  label: string | undefined;
  hasBreakpoint: boolean;
  onToggle: (expanded: boolean) => void;
}

function StepRow({ step, expanded, progress, note, label, hasBreakpoint, onToggle }: StepRowProps): JSX.Element {
  const mark = markOf(step);
  const bar = barOf(step, progress.elapsed);
  return (
    <>
      <span role="gridcell" class="name-cell">
        <Twist expanded={expanded} onToggle={() => onToggle(!expanded)} />
        {mark ? <span class="iteration">{mark}</span> : null}
        <span class="mono untrusted name" title={step.name}>
          {label ?? shortName(step.name)}
        </span>
        {hasBreakpoint ? <BreakpointMark /> : null}
      </span>
      <span role="gridcell" class="state-cell">
        <StateIcon state={step.state} isPaused={progress.isPaused} />
      </span>
      <span role="gridcell" class="bar-cell" aria-hidden="true">
        <i
          class={`bar ${step.state}`}
          style={{ left: `${bar.start * 100}%`, width: `max(2px, ${bar.width * 100}%)` }}
        />
      </span>
      <span role="gridcell" class="time-cell">
        {step.state === 'unstored' ? '' : formatDuration((step.end ?? progress.elapsed) - step.start)}
      </span>
      <span role="gridcell" class="note-cell untrusted">
        {note}
      </span>
    </>
  );
}

/** The innermost running step, if the run has reported nothing for long. */
function silentStep(trace: Trace, { elapsed, isPaused }: Progress): { step: TraceStep; seconds: number } | null {
  const seconds = trace.state === 'running' && !isPaused ? silentSeconds(trace.milliseconds, elapsed) : null;
  const step = seconds === null ? undefined : trace.order.findLast(({ state }) => state === 'running');
  return step && seconds !== null ? { step, seconds } : null;
}

function noteOf(step: TraceStep, trace: Trace, silent: number | null): string {
  return [
    silent !== null && `nothing reported for ${silent} s`,
    step.error?.errorType,
    step.state === 'unstored' && 'end not stored',
    step.kind === 'loop' && iterationsOf(step, trace),
    step.kind === 'if' && step.state !== 'running' && branchText(step.branch),
    step.requests > 0 && plural(step.requests, 'request'),
    step.lines > 0 && plural(step.lines, 'line'),
  ]
    .filter(Boolean)
    .join(' · ');
}

function iterationsOf(step: TraceStep, trace: Trace): string {
  const lastChild = trace.steps.get(step.children.at(-1) ?? -1);
  const started = step.iterations ?? (lastChild?.iteration.at(-1) ?? -1) + 1;
  return step.total === undefined || step.total === started
    ? plural(started, 'iteration')
    : `${started} of ${plural(step.total, 'iteration')}`;
}

function branchText(branch: TraceStep['branch']): string | undefined {
  if (branch === undefined) return undefined;
  return branch === null ? 'no match' : branch === 'else' ? 'else' : `branch ${branch + 1}`;
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
        <p>The steps were too large, or were removed to save space. Payload, result, error, and times are stored.</p>
      </EmptyState>
    );
  return <EmptyState title="No steps ran" />;
}
