/** Shows a run's context as JSON text, and applies an edited text. */
import type { Context } from '../../pipeline/index.ts';
import type { ErrorValue, Result } from '../../platform-api/coded-error.ts';
import { escapeToken } from '../../shared/json-pointer.ts';
import { isPlain, putValue, type RecordedValue, writeValue } from '../recording/values.ts';

/** Maximum characters of a context's text. Values beyond it are shown as lost, and stay as they are. */
export const CONTEXT_LIMIT = 2_000_000;
/** Maximum characters of an edited text. The text of the values grows when it's indented. */
export const EDITED_LIMIT = CONTEXT_LIMIT * 4;

/** A context as it was shown, so that only what the user has changed is applied. */
export interface ShownContext {
  value: RecordedValue;
  text: string;
}

/**
 * A context as JSON text. What JSON doesn't have is shown as a mark, as in recordings: `{"$": "lost", …}` stands for a value
 * that can't be shown.
 */
export function showContext(context: Context): ShownContext {
  const value = writeValue(context, { left: CONTEXT_LIMIT, lost: 0 });
  return { value, text: JSON.stringify(value, null, 2) };
}

/**
 * Applies an edited text: all of it or nothing. Objects keep their identity, because functions and loops refer to them.
 * Errors: `CONTEXT_NOT_JSON`, `CONTEXT_NOT_OBJECT`, `CONTEXT_TOO_LARGE`, `CONTEXT_VALUE_LOST`, `CONTEXT_READ_ONLY`.
 */
export function editContext(context: Context, shown: ShownContext, text: string): Result<null> {
  if (text.length > EDITED_LIMIT) return refuse('CONTEXT_TOO_LARGE', 'its text is too long', HINTS.large);
  let edited: unknown;
  try {
    edited = JSON.parse(text);
  } catch (thrown) {
    return refuse('CONTEXT_NOT_JSON', `its text isn’t JSON: ${(thrown as Error).message}`, HINTS.json);
  }
  if (!isObject(edited))
    return refuse('CONTEXT_NOT_OBJECT', 'it must be a JSON object', 'Enter an object, such as {}.');
  const edit = new Edit();
  try {
    const error = edit.compare(context, shown.value as Entries, edited as Entries, '');
    if (error) return { ok: false, error };
    applyAll(edit.changes);
    return { ok: true, value: null };
  } catch (thrown) {
    // A Proxy can refuse anything.
    return refuse('CONTEXT_READ_ONLY', `an object in it refuses the change: ${messageOf(thrown)}`, HINTS.readOnly);
  }
}

/** Makes all changes, or none if one of them throws an error. */
function applyAll(changes: readonly Change[]): void {
  const undo: (() => void)[] = [];
  try {
    for (const change of changes) undo.push(change());
  } catch (thrown) {
    for (const each of undo.toReversed()) each();
    throw thrown;
  }
}

type Entries = Record<string, RecordedValue>;
/** Makes a change, and returns a function that undoes it. */
type Change = () => () => void;

const HINTS = {
  json: 'Correct the text, then apply it again.',
  large: 'Change the values from a function, or in the page’s console.',
  lost: 'Replace it with a value, or leave it where it was.',
  readOnly: 'Edit an object around it.',
};

class Edit {
  readonly changes: Change[] = [];

  /** Collects what must change in an object or array. */
  compare(holder: object, shown: Entries, edited: Entries, path: string): ErrorValue | null {
    for (const key of Object.keys(edited)) {
      const at = `${path}/${escapeToken(key)}`;
      const error = this.#compareProperty(holder, key, own(shown, key), edited[key]!, at);
      if (error) return error;
    }
    if (Array.isArray(holder)) {
      // The items that weren't shown are at these places.
      if (hasRest(shown) && Object.keys(edited).length > Object.keys(shown).length)
        return problem('CONTEXT_VALUE_LOST', `${path} has items that aren’t shown`, HINTS.lost);
      const { length } = edited as unknown as unknown[];
      if (length < (shown as unknown as unknown[]).length) this.changes.push(() => shorten(holder, length));
      return null;
    }
    for (const key of Object.keys(shown))
      if (!Object.hasOwn(edited, key))
        this.changes.push(() => changeProperty(holder, key, () => delete (holder as Entries)[key]));
    return null;
  }

  #compareProperty(
    holder: object,
    key: string,
    shown: RecordedValue | undefined,
    edited: RecordedValue,
    path: string,
  ): ErrorValue | null {
    if (shown !== undefined && isSame(shown, edited)) return null;
    const value = (holder as Record<string, unknown>)[key];
    if (isOpen(value) && isNested(shown) && isNested(edited) && Array.isArray(value) === Array.isArray(edited))
      return this.compare(value, shown as Entries, edited as Entries, path);
    if (hasUnreadable(edited))
      return problem('CONTEXT_VALUE_LOST', `${path} has a value that can’t be shown as text`, HINTS.lost);
    const property = Object.getOwnPropertyDescriptor(holder, key);
    if (property ? !property.configurable && !property.writable : !Object.isExtensible(holder))
      return problem('CONTEXT_READ_ONLY', `${path} is read-only`, HINTS.readOnly);
    this.changes.push(() => changeProperty(holder, key, () => putValue({ holder, key }, edited)));
    return null;
  }
}

const own = (entries: Entries, key: string): RecordedValue | undefined =>
  Object.hasOwn(entries, key) ? entries[key] : undefined;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is an array or object that can change in place. */
const isOpen = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && isPlain(value) && Object.isExtensible(value);

/** Whether a value is an array or an object that isn't a mark. */
const isNested = (value: RecordedValue | undefined): value is RecordedValue[] | Entries =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || !Object.hasOwn(value, '$'));

function isSame(one: RecordedValue, other: RecordedValue): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame((one as Entries)[key]!, (other as Entries)[key]!))
  );
}

const hasRest = (shown: Entries): boolean => {
  const last = (shown as unknown as RecordedValue[]).at(-1);
  return typeof last === 'object' && last !== null && !Array.isArray(last) && last['$'] === 'rest';
};

/** Marks that stand for a value. */
const MARKS = ['undefined', 'number', 'bigint', 'date', 'entries'];

function hasUnreadable(value: RecordedValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && Object.hasOwn(value, '$') && !MARKS.includes(value['$'] as string)) return true;
  return Object.values(value).some(hasUnreadable);
}

function changeProperty(holder: object, key: string, change: () => void): () => void {
  const before = Object.getOwnPropertyDescriptor(holder, key);
  change();
  return () => {
    if (before) Object.defineProperty(holder, key, before);
    else delete (holder as Entries)[key];
  };
}

function shorten(list: unknown[], length: number): () => void {
  const removed = list.slice(length);
  list.length = length;
  return () => void list.push(...removed);
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const problem = (code: string, why: string, hint: string): ErrorValue => ({
  code,
  message: `Couldn’t change the context: ${why}. Nothing was changed.`,
  hint,
});

const refuse = (code: string, why: string, hint: string): Result<never> => ({
  ok: false,
  error: problem(code, why, hint),
});
