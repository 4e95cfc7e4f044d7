/** Marks a step whose outcome isn’t its own, such as a mocked one. */
import type { JSX } from 'preact';
import { replacedText } from '../../../lib/extension/panel/run/replaced.ts';
import type { TraceStep } from '../../../lib/extension/panel/run/trace.ts';

export function ReplacedMark({ step }: { step: TraceStep }): JSX.Element | null {
  const replaced = replacedText(step);
  if (!replaced) return null;
  return (
    <span class="badge warning replaced untrusted" data-replaced={step.replaced} title={replaced.explanation}>
      {replaced.text}
    </span>
  );
}
