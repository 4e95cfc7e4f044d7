/** Finds what a condition read that isn’t there, and what was probably meant. */
import type { Context, Explanation } from '../../pipeline/index.ts';
import { nearestName } from '../../shared/edit-distance.ts';

/** A part of a condition that is undefined or null. */
export interface Missing {
  /** As written, such as `records[0].data.emial`. */
  text: string;
  /** Offsets into the condition. `end` is exclusive. */
  start: number;
  end: number;
  /** The property that is absent. Not set for what a function returned. */
  key?: string;
  /** A key that the object has, or where the property is. */
  suggestion?: string;
  /** For example, `records[0].data.emial is undefined. Did you mean “email”?` */
  message: string;
}

/** The part that failed. */
export interface FailedPart {
  text: string;
  start: number;
  end: number;
  /** What is missing if there’s something missing, or else why it failed. */
  message: string;
  missing: Missing | null;
}

/** The exact part that failed. Null if the condition didn’t fail. */
export function whyFailed(explanation: Explanation, context: Context): FailedPart | null {
  if (explanation.state !== 'failed' && explanation.error === undefined) return null;
  let part = explanation;
  for (let inner: Explanation | undefined = part; inner; inner = part.parts.find(({ state }) => state === 'failed'))
    part = inner;
  const { text, start, end, error } = part;
  const [object] = part.parts;
  const missing = isLink(part) && object && isMissing(object) ? missingAt(object, context) : null;
  const message = missing?.message ?? (error instanceof Error ? error.message : String(error));
  return { text, start, end, message, missing };
}

/**
 * Properties that the condition read, or would have read, and that are absent. Those that it checks for, or that weren’t
 * evaluated, only if another one was meant.
 */
export function hintsOf(explanation: Explanation, context: Context): Missing[] {
  const found = new Map<string, Missing>();
  for (const { missing, isChecked, isEvaluated } of readsOf(explanation, context)) {
    if (!missing || found.has(missing.text)) continue;
    if (missing.suggestion === undefined && (isChecked || !isEvaluated)) continue;
    const { text, message } = missing;
    const rest = message.slice(text.length);
    found.set(text, isEvaluated ? missing : { ...missing, message: `${text} wasn’t evaluated, and${rest}` });
  }
  return [...found.values()];
}

/** A property that a condition reads. */
export interface Read {
  /** As written. */
  text: string;
  /** Null if the property is there. */
  missing: Missing | null;
  /** Whether the condition allows for it to be undefined. */
  isChecked: boolean;
  isEvaluated: boolean;
}

/** The properties that a condition reads, or would read, as far as it’s known whether they’re there. */
export function readsOf(explanation: Explanation, context: Context): Read[] {
  const reads: Read[] = [];
  const visit = (part: Explanation, isChecked: boolean): void => {
    const isThere = isRead(part) && part.isGlobal !== true ? hasProperty(part, context) : null;
    if (isThere !== null) {
      const missing = isThere ? null : missingAt(part, context);
      reads.push({ text: part.text, missing, isChecked, isEvaluated: part.state !== 'not-evaluated' });
    }
    for (const inner of part.parts) visit(inner, checks(part, inner));
  };
  visit(explanation, false);
  return reads;
}

/** Null if it isn’t known. */
function hasProperty(part: Explanation, context: Context): boolean | null {
  const key = keyOf(part);
  const holder = key === undefined ? null : holderOf(part, context);
  if (key === undefined || !holder || holder.value === undefined || holder.value === null) return null;
  if (part.kind === 'name' && key === 'context') return true;
  try {
    return key in Object(holder.value);
  } catch {
    // The recording doesn’t have it.
    return null;
  }
}

/** A property of the context, or of another part. */
const keyOf = ({ kind, text, key }: Explanation): string | undefined =>
  kind === 'name' ? text : key === undefined ? undefined : String(key);

/** The object whose property a part reads. Null if it isn’t known. */
const holderOf = (part: Explanation, context: Context): { value: unknown } | null =>
  part.kind === 'name' ? { value: context } : part.parts[0] ? lookUp(part.parts[0], context) : null;

/** The value of a part, also of one that wasn’t evaluated. Null if it isn’t known. */
function lookUp(part: Explanation, context: Context): { value: unknown } | null {
  if (part.state === 'evaluated') return { value: part.value };
  if (!isRead(part)) return null;
  if (part.text === 'context' && part.kind === 'name' && !hasOwn(context, 'context')) return { value: context };
  const holder = hasProperty(part, context) === null ? null : holderOf(part, context);
  return holder && { value: read(Object(holder.value) as object, keyOf(part)!) };
}

const isRead = ({ kind, key }: Explanation): boolean =>
  kind === 'name' || kind === 'member' || (kind === 'chain' && key !== undefined);
const isLink = ({ kind }: Explanation): boolean => ['member', 'methodCall', 'call', 'chain'].includes(kind);
const isMissing = ({ state, value }: Explanation): boolean =>
  state === 'evaluated' && (value === undefined || value === null);

/** Whether a part allows for another one to be undefined. */
function checks(part: Explanation, inner: Explanation): boolean {
  const { kind, operator, parts, text, start } = part;
  if (operator === 'typeof') return true;
  if (operator === '??' || operator === '||') return inner === parts[0];
  if (operator !== undefined && /^[!=]==?$/.test(operator))
    return parts.some((other) => other !== inner && other.kind === 'literal' && (other.value ?? null) === null);
  return isLink(part) && kind !== 'call' && /^\s*\?\./.test(text.slice(inner.end - start));
}

/** @param part what is undefined or null */
function missingAt(part: Explanation, context: Context): Missing {
  let cause = part;
  while (isLink(cause) && cause.parts[0] && isMissing(cause.parts[0])) cause = cause.parts[0];
  const { text, start, end, value } = cause;
  const holder = holderOf(cause, context)?.value;
  const key = keyOf(cause);
  const isAbsent = key !== undefined && value === undefined && !hasOwn(holder, key);
  const suggestion = isAbsent ? suggest(holder, key, cause) : undefined;
  const hint = suggestion === undefined ? '' : ` Did you mean “${suggestion}”?`;
  return {
    text,
    start,
    end,
    ...(isAbsent && { key }),
    ...(suggestion !== undefined && { suggestion }),
    message: `${text} is ${String(value)}.${hint}`,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const hasOwn = (holder: unknown, key: string): boolean =>
  holder !== undefined && holder !== null && Object.hasOwn(holder as object, key);

function suggest(holder: unknown, key: string, part: Explanation): string | undefined {
  if (!isObject(holder)) return typeof holder === 'string' ? nearestName(key, ['length']) : undefined;
  if (Array.isArray(holder)) {
    const inItem = hasOwn(read(holder, '0'), key) ? `${part.parts[0]?.text}[0].${key}` : undefined;
    return nearestName(key, ['length']) ?? inItem;
  }
  const near = nearestName(key, Object.keys(holder));
  return near === undefined && part.kind === 'name' ? suggestInItem(holder, key) : near;
}

/** Inside a loop, the name of a property is often meant to be the item’s. */
function suggestInItem(context: object, key: string): string | undefined {
  const item = read(context, 'currentItem');
  if (hasOwn(item, key)) return `currentItem.${key}`;
  return isObject(item) && hasOwn(read(item, 'data'), key) ? `currentItem.data.${key}` : undefined;
}

/** Undefined for what the recording doesn’t have. */
function read(holder: object, key: string): unknown {
  try {
    return (holder as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
