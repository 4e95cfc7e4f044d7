/** Filters a list of options by typed text. */

export interface ComboboxOption {
  value: string;
  label: string;
  /** Secondary text, also searched. */
  hint?: string;
}

/**
 * Options that contain every typed word, in any order and ignoring case. Labels that start with the text come first.
 */
export function matchOptions(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[] {
  const text = typed.trim().toLowerCase();
  if (!text) return options;
  const words = text.split(/\s+/);
  const found = options.filter((option) => {
    const all = `${option.label} ${option.hint ?? ''}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const starts = (option: ComboboxOption): number => (option.label.toLowerCase().startsWith(text) ? 0 : 1);
  return found.sort((a, b) => starts(a) - starts(b));
}
