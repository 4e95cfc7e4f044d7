/** A button that says why it's disabled. */
import type { ComponentChildren, JSX } from 'preact';
import './controls.css';

export interface ButtonProps {
  children: ComponentChildren;
  onClick?: () => void;
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Why it's disabled, as a tooltip and for screen readers; null when it's enabled. */
  unavailable?: string | null;
  /** Makes the button a toggle, and says whether it's on. */
  pressed?: boolean;
  /** Accessible name, if the visible text isn't enough. */
  label?: string;
  title?: string;
  type?: 'button' | 'submit';
}

/** Stays in the tab order when disabled, so that keyboard and screen reader users can find the reason. */
export function Button({
  children,
  onClick,
  kind = 'plain',
  unavailable,
  pressed,
  label,
  title,
  type = 'button',
}: ButtonProps): JSX.Element {
  return (
    <button
      type={type}
      class={`button ${kind}`}
      aria-disabled={unavailable ? 'true' : undefined}
      aria-pressed={pressed}
      aria-label={label}
      aria-description={unavailable ?? undefined}
      title={unavailable ?? title}
      onClick={(event) => {
        if (unavailable) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}
