/** Owns the button: one that is not available says why instead of going dead. */
import type { ComponentChildren, JSX } from 'preact';
import './controls.css';

export interface ButtonProps {
  children: ComponentChildren;
  onClick?: () => void;
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Why it can't be pressed now: shown as its tooltip and read out; null or absent when it can. */
  unavailable?: string | null;
  /** For a toggle: whether it is on. */
  pressed?: boolean;
  /** Accessible name, when the visible text is not enough. */
  label?: string;
  title?: string;
  type?: 'button' | 'submit';
}

/** It stays in the tab order when unavailable, so that a keyboard or screen reader finds the reason. */
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
