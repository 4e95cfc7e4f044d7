/** Owns the timeline of the shown run: a row per step and iteration, with its time as a bar. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, plural } from '../../../lib/shared/format.ts';
import { shortName } from '../../../lib/extension/panel/shared/short-name.ts';
import { barOf, createTimelineRows, isExpanded, markOf } from '../../../lib/extension/panel/run/timeline-rows.ts';
import type { Trace, TraceStep } from '../../../lib/extension/panel/run/trace.ts';
import { EmptyState } from '../../ui/index.ts';
import { Twist, VirtualTree } from '../../ui/virtual-tree.tsx';
import { StateSign } from './step-state.tsx';

/** A run longer than so many milliseconds is followed as it goes; a short one is read from its start. */
const FOLLOW_AFTER = 1500;

export function Timeline({ panel, trace }: { panel: Panel; trace: Trace }): JSX.Element {
  const { selection, runs, page } = panel;
  void runs.version.value;
  const folded = selection.foldedSteps.value;
  const rows = useMemo(() => createTimelineRows(trace, folded), [trace, folded])();
  const labels = useMemo(() => new Map(page.nodes.value.map((node) => [node.path, node.label])), [page.nodes.value]);
  const selected = selection.step.value;
  if (rows.length === 0) return <NoSteps trace={trace} />;
  return (
    <div
      class="timeline"
      data-timeline=""
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || selection.step.peek() === null) return;
        // DevTools, which listens at the document, would open its drawer and give the focus to it.
        event.stopPropagation();
        selection.clear();
      }}
    >
      <VirtualTree
        label="Timeline"
        role="treegrid"
        rows={rows}
        shape={(step) => ({ key: String(step.id), level: step.depth, expanded: isExpanded(step, folded) })}
        attributes={(step) => ({
          'data-step': String(step.id),
          'data-path': step.path ?? '',
          'data-iteration': step.iteration.join('.'),
          'data-state': step.state,
          'data-failing': step.id === trace.failedStep ? '' : undefined,
        })}
        selected={selected === null ? null : String(selected)}
        onSelect={(step) => selection.selectStep(step.id)}
        onToggle={(step, expanded) => selection.foldStep(step.id, !expanded)}
        follow={trace.state === 'running' && trace.milliseconds > FOLLOW_AFTER}
        render={(step) => (
          <StepRow
            step={step}
            expanded={isExpanded(step, folded)}
            total={trace.milliseconds}
            note={noteOf(step, trace)}
            label={step.kind === 'function' ? undefined : labels.get(step.path ?? '')}
            onToggle={(open) => selection.foldStep(step.id, !open)}
          />
        )}
      />
    </div>
  );
}

function StepRow({
  step,
  expanded,
  total,
  note,
  label,
  onToggle,
}: {
  step: TraceStep;
  expanded: boolean | null;
  total: number;
  note: string;
  label: string | undefined;
  onToggle: (open: boolean) => void;
}): JSX.Element {
  const mark = markOf(step);
  const bar = barOf(step, total);
  return (
    <>
      <span role="gridcell" class="name-cell">
        <Twist expanded={expanded} onToggle={() => onToggle(!expanded)} />
        {mark ? <span class="iteration">{mark}</span> : null}
        <span class="mono untrusted name" title={step.name}>
          {label ?? shortName(step.name)}
        </span>
      </span>
      <span role="gridcell" class="state-cell">
        <StateSign state={step.state} />
      </span>
      <span role="gridcell" class="bar-cell" aria-hidden="true">
        <i
          class={`bar ${step.state}`}
          style={{ left: `${bar.start * 100}%`, width: `max(2px, ${bar.width * 100}%)` }}
        />
      </span>
      <span role="gridcell" class="time-cell">
        {step.end === null ? '…' : formatDuration(step.end - step.start)}
      </span>
      <span role="gridcell" class="note-cell untrusted">
        {note}
      </span>
    </>
  );
}

function noteOf(step: TraceStep, trace: Trace): string {
  const notes: string[] = [];
  if (step.error) notes.push(step.error.errorType);
  if (step.kind === 'loop') {
    const begun = step.iterations ?? (trace.steps.get(step.children.at(-1) ?? -1)?.iteration.at(-1) ?? -1) + 1;
    notes.push(
      step.total === undefined || step.total === begun
        ? plural(begun, 'iteration')
        : `${begun} of ${plural(step.total, 'iteration')}`,
    );
  }
  if (step.kind === 'if' && step.state !== 'running' && step.branch !== undefined)
    notes.push(step.branch === null ? 'none held' : step.branch === 'else' ? 'else' : `branch ${step.branch + 1}`);
  if (step.requests > 0) notes.push(plural(step.requests, 'request'));
  if (step.lines > 0) notes.push(plural(step.lines, 'line'));
  return notes.join(' · ');
}

function NoSteps({ trace }: { trace: Trace }): JSX.Element {
  if (trace.state === 'running')
    return (
      <EmptyState title="Running…">
        <p>Steps appear here as they start.</p>
      </EmptyState>
    );
  if (trace.tracing === 'bare')
    return (
      <EmptyState title="This page tells of start and end only">
        <p>
          Its runtime has no observer, and its functions were registered before the panel looked. Where the panel offers
          it, reload with tracing and run again.
        </p>
      </EmptyState>
    );
  return <EmptyState title="No step ran" />;
}
