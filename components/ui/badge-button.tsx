/** A badge that explains itself when it's clicked. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Tone } from './small.tsx';
import './controls.css';

export interface BadgeButtonProps {
  children: ComponentChildren;
  tone?: Tone;
  /** What the badge means, and what to do. */
  explanation: string;
}

export function BadgeButton({ children, tone = 'plain', explanation }: BadgeButtonProps): JSX.Element {
  const id = useId();
  return (
    <>
      <button type="button" class={`badge ${tone}`} title="What does this mean?" popovertarget={id}>
        {children}
      </button>
      <div id={id} popover="auto" role="note" class="menu explanation">
        {explanation}
      </div>
    </>
  );
}
