/** Owns what the parts of the form share. */
import type { Problem } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';
import { type Fields, writtenText } from '../../../../lib/extension/panel/actions/edit/pointer.ts';

/** What every part of the form is given: the draft with its defaults, and how to change it. */
export interface PartProps {
  value: Fields;
  problems: readonly Problem[];
  set: (pointer: string, value: unknown) => void;
  onSave: () => void;
}

/** The options, and what the draft has when it is none of them. */
export function withOwn(options: { value: string; label: string }[], own: unknown): { value: string; label: string }[] {
  const text = writtenText(own);
  return options.some(({ value }) => value === text)
    ? options
    : [...options, { value: text, label: text || 'not chosen' }];
}

/** A whole number where one is typed, null for nothing, and any other text as it is. */
export function numberIn(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
}
