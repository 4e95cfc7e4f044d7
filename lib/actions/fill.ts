/** Owns filling `{{expressions}}` into the texts of a setting. */

export interface FillOptions {
  /** `html` escapes what is filled in, not the text around it. */
  escape?: 'html';
}

const PLACE = /\{\{((?:[^{}]|\{[^{}]*\})*)\}\}/g;
const WHOLE = new RegExp(`^${PLACE.source}$`);
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * A text that is one expression and nothing else becomes its value, of any type; in a longer text the value is written out.
 * Arrays and objects are copied with everything in them filled.
 */
export function fill(value: unknown, evaluate: (source: string) => unknown, options: FillOptions = {}): unknown {
  if (typeof value === 'string') return fillText(value, evaluate, options);
  if (Array.isArray(value)) return value.map((each) => fill(each, evaluate, options));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, evaluate, options)]));
}

function fillText(text: string, evaluate: (source: string) => unknown, { escape }: FillOptions): unknown {
  const whole = escape ? null : WHOLE.exec(text);
  if (whole) return evaluate(whole[1]!);
  return text.replace(PLACE, (_, source: string) => {
    const written = write(evaluate(source));
    return escape === 'html' ? written.replace(/[&<>"']/g, (char) => ESCAPES[char]!) : written;
  });
}

function write(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
