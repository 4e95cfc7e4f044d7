/** Replaces `{{expressions}}` in settings with their values. */
import { isPlain } from './settings.ts';
import { templateParts } from './templates.ts';

export interface FillOptions {
  /** Whether to escape the values for HTML. The text around them isn’t escaped. */
  escape?: 'html' | undefined;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * A string that consists of a single expression becomes the expression’s value, of any type. In longer strings, values
 * are converted as by `toText`. Arrays and plain objects are copied and filled recursively. Other objects, such as a
 * `Date`, stay as they are.
 * @throws ConditionError `INVALID_CONDITION` for an expression without an end, and what `evaluate` throws
 */
export function fill(value: unknown, evaluate: (source: string) => unknown, options: FillOptions = {}): unknown {
  const open = new Set<object>();
  const filled = (each: unknown): unknown => {
    if (typeof each === 'string') return fillText(each, evaluate, options);
    if (!Array.isArray(each) && !isPlain(each)) return each;
    if (open.has(each)) throw new TypeError('Couldn’t fill in the expressions: the setting contains itself.');
    open.add(each);
    const copy = Array.isArray(each)
      ? each.map(filled)
      : Object.fromEntries(Object.entries(each).map(([key, one]) => [key, filled(one)]));
    open.delete(each);
    return copy;
  };
  return filled(value);
}

function fillText(text: string, evaluate: (source: string) => unknown, { escape }: FillOptions): unknown {
  const parts = templateParts(text);
  const [first] = parts;
  if (typeof first === 'object' && parts.length === 1 && !escape) return evaluate(first.source);
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const printed = toText(evaluate(part.source));
      return escape === 'html' ? printed.replace(/[&<>"']/g, (char) => ESCAPES[char]!) : printed;
    })
    .join('');
}

/**
 * A value within text. `undefined` and `null` are nothing. An object is its JSON: a `Map` or a `Set` as the array of its
 * entries, an error as its name and message, a `URLSearchParams` as a query, a BigInt as a string of digits. If the JSON
 * is a string, as of a `Date` or a `URL`, it’s that string.
 * @throws TypeError for an object that contains itself, or is nested too deeply
 */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  const json = jsonOf(value) ?? 'null';
  return json === 'null' ? '' : json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

function jsonOf(value: object): string | undefined {
  try {
    return JSON.stringify(value, readable);
  } catch (thrown) {
    const { message = '' } = thrown as { message?: unknown };
    const cause = CAUSES.find(([pattern]) => pattern.test(String(message)))?.[1];
    throw cause ? new TypeError(`Couldn’t convert the value to text: ${cause}.`, { cause: thrown }) : thrown;
  }
}

/** In V8, SpiderMonkey, and JavaScriptCore. */
const CAUSES: readonly [RegExp, string][] = [
  [/circular|cyclic/i, 'it contains itself'],
  [/call stack|recursion/i, 'it’s nested too deeply'],
];

/** What JSON has instead of a value. */
function readable(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  // Values can be of another realm.
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind === 'Map' || kind === 'Set') return [...(value as Iterable<unknown>)];
  return /^(?:Error|DOMException|RegExp|URLSearchParams)$/.test(kind) ? String(value) : value;
}
