/** Types and helpers shared by the action form's sections. */
import type { ComponentChildren } from 'preact';
import type { Problem } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';
import { type Fields, fieldText } from '../../../../lib/extension/panel/actions/edit/draft-value.ts';

/** A section's props: the draft with defaults applied, and a setter for its values. */
export interface PartProps {
  value: Fields;
  problems: readonly Problem[];
  set: (pointer: string, value: unknown) => void;
  onSave: () => void;
}

/** Adds the draft's current value to the options if it isn't there. */
export function withCurrent(
  options: { value: string; label: string }[],
  current: unknown,
): { value: string; label: string }[] {
  const text = fieldText(current);
  return options.some(({ value }) => value === text)
    ? options
    : [...options, { value: text, label: text || 'not selected' }];
}

/** Returns an integer, null for an empty field, or the text itself if it isn't an integer. */
export function parseNumber(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
}

/** Shows what the condition of the block at a path is in a recorded run. */
export type TryCondition = (path: string) => ComponentChildren;
