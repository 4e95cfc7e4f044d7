/** Replaces `{{expressions}}` in the strings of a function’s settings. */
import { PLACEHOLDER } from './templates.ts';

export interface FillOptions {
  /** Whether to escape the values for HTML. The text around them isn’t escaped. */
  escape?: 'html';
}

const ONLY_PLACEHOLDER = new RegExp(`^${PLACEHOLDER.source}$`);
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * A string that consists of a single expression becomes the expression’s value, of any type. In longer strings, values
 * are converted to strings. Arrays and objects are copied and filled recursively.
 */
export function fill(value: unknown, evaluate: (source: string) => unknown, options: FillOptions = {}): unknown {
  if (typeof value === 'string') return fillText(value, evaluate, options);
  if (Array.isArray(value)) return value.map((each) => fill(each, evaluate, options));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, evaluate, options)]));
}

function fillText(text: string, evaluate: (source: string) => unknown, { escape }: FillOptions): unknown {
  const only = escape ? null : ONLY_PLACEHOLDER.exec(text);
  if (only) return evaluate(only[1]!);
  return text.replace(PLACEHOLDER, (_, source: string) => {
    const filled = toText(evaluate(source));
    return escape === 'html' ? filled.replace(/[&<>"']/g, (char) => ESCAPES[char]!) : filled;
  });
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
