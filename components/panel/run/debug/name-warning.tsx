/** Says which names in an expression the run that is shown didn’t have. */
import type { JSX } from 'preact';
import './debug.css';

export function NameWarning({ text }: { text: string | null }): JSX.Element | null {
  if (!text) return null;
  return (
    <p class="warning untrusted" data-name-warning="">
      {text}
    </p>
  );
}
