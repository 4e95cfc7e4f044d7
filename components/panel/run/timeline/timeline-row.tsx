/** A row of the timeline: a step or an iteration, with its state, its time, and what is notable about it. */
import type { JSX } from 'preact';
import { attemptText, editedText } from '../../../../lib/extension/panel/run/debug/edits.ts';
import type { Progress } from '../../../../lib/extension/panel/run/run-clock.ts';
import { isUnmatched } from '../../../../lib/extension/panel/run/timeline/filter.ts';
import {
  barOf,
  iterationSteps,
  markOf,
  timesOf,
  type TimelineRow,
} from '../../../../lib/extension/panel/run/timeline/rows.ts';
import type { StepTexts } from '../../../../lib/extension/panel/run/timeline/step-texts.ts';
import type { Trace, TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, plural } from '../../../../lib/shared/format.ts';
import { Twist } from '../../../ui/virtual-tree.tsx';
import { Decision } from '../why/decision.tsx';
import { ReplacedMark } from '../replaced-mark.tsx';
import { StateIcon } from '../state-icon.tsx';
import { BreakpointMark } from '../step-buttons.tsx';

export interface RowProps {
  panel: Panel;
  row: TimelineRow;
  trace: Trace;
  texts: StepTexts;
  expanded: boolean | null;
  progress: Progress;
  /** For how many seconds the step has reported nothing, if that’s long. */
  silent: number | null;
  hasBreakpoint: boolean;
}

export function Row(props: RowProps): JSX.Element {
  const { panel, row, trace, texts, expanded, progress, hasBreakpoint } = props;
  const { step } = row;
  const times = timesOf(trace, row);
  const bar = barOf(times, progress.elapsed);
  const isDimmed = row.opens && hasNoMatch(row, trace);
  return (
    <>
      <span role="gridcell" class={isDimmed ? 'name-cell dimmed' : 'name-cell'}>
        <Twist expanded={expanded} onToggle={() => panel.selection.setRowCollapsed(row.key, expanded === true)} />
        <RowName row={row} texts={texts} />
        {row.kind === 'step' ? <ReplacedMark step={step} /> : null}
        {hasBreakpoint ? <BreakpointMark /> : null}
      </span>
      <span role="gridcell" class="state-cell">
        <StateIcon state={times.state} isPaused={progress.isPaused} />
      </span>
      <span role="gridcell" class="bar-cell" aria-hidden="true">
        <i
          class={`bar ${times.state}`}
          style={{ left: `${bar.start * 100}%`, width: `max(2px, ${bar.width * 100}%)` }}
        />
      </span>
      <span role="gridcell" class="time-cell">
        {times.state === 'unstored' ? '' : formatDuration((times.end ?? progress.elapsed) - times.start)}
      </span>
      <NoteCell {...props} />
    </>
  );
}

function NoteCell({ panel, row, trace, texts, silent }: RowProps): JSX.Element {
  const { step, kind } = row;
  const isDecided = kind === 'step' && step.kind === 'if' && step.end !== null;
  const decision = isDecided ? texts.of(step).decision : '';
  const note = kind === 'step' ? noteOf(step, trace, texts, silent) : '';
  const whole = [decision, note].filter(Boolean).join(' · ');
  return (
    <span role="gridcell" class="note-cell untrusted" title={whole.length > 20 ? whole : undefined}>
      {isDecided ? <Decision panel={panel} step={step} text={decision} note={note} /> : note}
    </span>
  );
}

function RowName({ row, texts }: Pick<RowProps, 'row' | 'texts'>): JSX.Element {
  const { step, opens, kind } = row;
  const mark = markOf(row);
  const item = opens ? texts.itemOf(step) : '';
  const text = kind === 'step' ? texts.of(step) : null;
  const what = text ? [text.label, text.summary].filter(Boolean).join(' ') : '';
  return (
    <span
      class="row-name untrusted"
      title={[mark, item, what, step.kind === 'function' ? `(${step.name})` : ''].filter(Boolean).join(' ')}
    >
      {mark ? <span class="iteration">{mark}</span> : null} {item ? <span class="item">{item}</span> : null}{' '}
      {text ? (
        <>
          <span class={text.isNamed ? 'name' : 'name mono'}>{text.label}</span>{' '}
          {text.summary ? <span class="summary mono">{text.summary}</span> : null}
        </>
      ) : null}
    </span>
  );
}

/** Whether the row’s iteration did nothing, because no condition was true. */
function hasNoMatch({ kind, step }: TimelineRow, trace: Trace): boolean {
  return kind === 'step' ? isUnmatched(step) : iterationSteps(trace, step).every(isUnmatched);
}

function noteOf(step: TraceStep, trace: Trace, texts: StepTexts, silent: number | null): string {
  return [
    silent !== null && `nothing reported for ${silent} s`,
    editedText(step),
    attemptText(step),
    step.error?.errorType,
    step.state === 'unstored' && 'end unknown',
    step.kind === 'loop' && iterationsOf(step, trace),
    texts.of(step).outcome,
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
