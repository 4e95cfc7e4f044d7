/** Why an `if` row took its branch: each condition with a mark of what it was, and the values that it saw. */
import type { JSX } from 'preact';
import type { TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Segments } from './segments.tsx';

export interface DecisionProps {
  panel: Panel;
  step: TraceStep;
  /** What the trace says, until the recording is loaded. */
  text: string;
  /** What else the row says. */
  note: string;
}

export function Decision({ panel, step, text, note }: DecisionProps): JSX.Element {
  // The run gets its recording after its rows were rendered.
  void panel.runs.version.value;
  const run = panel.runs.shown.value;
  const line = run && panel.why.lineOf(run, step);
  if (!line) return <>{[text, note].filter(Boolean).join(' · ')}</>;
  return (
    <>
      <span data-why-line="" title={line.map((segment) => segment.text).join('')}>
        <Segments segments={line} />
      </span>
      {[tookBranch(step), note].map((text) => (text ? ` · ${text}` : ''))}
    </>
  );
}

/** What the marks of the conditions don’t say. */
function tookBranch({ branch }: TraceStep): string {
  return branch === 'else' ? 'else' : branch === null ? 'no match' : '';
}
