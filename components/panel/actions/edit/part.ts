/** Types and helpers shared by the parts of the action form. */
import type { Problem } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';
import { type Fields, fieldText } from '../../../../lib/extension/panel/actions/edit/draft-value.ts';

/** The draft with its defaults, and how to change it. */
export interface PartProps {
  value: Fields;
  problems: readonly Problem[];
  set: (pointer: string, value: unknown) => void;
  onSave: () => void;
}

/** Adds the draft's current value to the options when it is none of them. */
export function withCurrent(
  options: { value: string; label: string }[],
  current: unknown,
): { value: string; label: string }[] {
  const text = fieldText(current);
  return options.some(({ value }) => value === text)
    ? options
    : [...options, { value: text, label: text || 'not selected' }];
}

/** An integer, null for an empty field, and any other text unchanged. */
export function parseNumber(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
}
