/** Marks a step whose outcome isn’t its own, such as a mocked one, or whose context the user has edited. */
import type { JSX } from 'preact';
import { editedText } from '../../../lib/extension/panel/run/debug/edits.ts';
import { replacedText } from '../../../lib/extension/panel/run/replaced.ts';
import type { TraceStep } from '../../../lib/extension/panel/run/trace.ts';

export function ReplacedMark({ step }: { step: TraceStep }): JSX.Element | null {
  const replaced = replacedText(step);
  const edited = editedText(step);
  if (!replaced && !edited) return null;
  return (
    <>
      {edited ? (
        <span class="badge warning untrusted" data-edited="" title={edited}>
          edited
        </span>
      ) : null}
      {replaced ? (
        <span class="badge warning replaced untrusted" data-replaced={step.replaced} title={replaced.explanation}>
          {replaced.text}
        </span>
      ) : null}
    </>
  );
}
