/** Writes a tool’s result within its size: whole items only, and a handle for the rest. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ErrorValue } from '../../platform-api/coded-error.ts';
import type { Handles } from './handles.ts';
import { visible } from '../../shared/invisible.ts';
import { mapTexts } from '../../shared/objects.ts';
import { jsonOf } from './untrusted.ts';

/** What a tool returns. */
export interface Reply {
  /** In our own words: nothing of it comes from a platform. */
  note?: string | undefined;
  handle?: string | undefined;
  /** What came from the platform, or from a recording. */
  data?: Record<string, unknown> | undefined;
  /** A list, of which as many items are shown as fit. */
  list?: ReplyList | undefined;
  /** A text from a platform, of which as much is shown as fits. */
  piece?: { text: string; offset: number } | undefined;
  /** Called once the result was written to the client. */
  onSent?: (() => Promise<void>) | undefined;
}

export interface ReplyList {
  name: string;
  items: readonly unknown[];
  /** The position of the first item in the whole list. */
  offset: number;
  /** Null if it’s unknown. */
  total: number | null;
  /** Whether the list has more after these items, if its total is unknown. */
  hasMore?: boolean | undefined;
  /** The argument that continues the list after an item. Default: `offset`. */
  next?: ((last: unknown, shown: number) => Record<string, unknown>) | undefined;
}

/** In bytes, of the result as JSON. */
export const DEFAULT_SIZE = 4_000;
export const MAX_SIZE = 100_000;

export interface ReplyOptions {
  size: number;
  handles: Handles;
  mask: (text: string) => string;
}

export function resultOf(reply: Reply, { size, handles, mask }: ReplyOptions): CallToolResult {
  if (reply.piece) return pieceOf(reply.piece, size);
  const safe = safely(reply, mask);
  const whole = wrapped(safe, safe.list?.items.length ?? 0);
  if (fits(whole, size)) return textResult(whole);
  const limited = limit(safe, size);
  const shown = count(limited, size);
  // Of a list, `next` continues where the result ends. What was cut inside of items needs a handle.
  const more = limited.more && keep(safe, shown, handles);
  return textResult(wrapped({ ...limited, more }, shown));
}

/** An error, as ours or as one with data from a platform. */
export function errorResult(error: ErrorValue, isOurs: boolean, mask: (text: string) => string): CallToolResult {
  const { code, message, hint, details } = error;
  const value = {
    code: /^[A-Z][A-Z0-9_]{0,60}$/.test(code) ? code : 'UNEXPECTED',
    message: cut(visible(mask(message)), 1_000),
    ...(hint !== undefined && { hint: cut(visible(mask(hint)), 400) }),
    ...(details && { details: details.slice(0, 5).map(({ path, message: text }) => `${clean(path)}: ${clean(text)}`) }),
  };
  function clean(text: string): string {
    return cut(visible(mask(text)), 200);
  }
  return { ...textResult(isOurs ? { error: value } : { untrusted: true, data: { error: value } }), isError: true };
}

/** With the handle of what was cut. */
type Safe = Reply & { more?: string | undefined };

function safely(reply: Reply, mask: (text: string) => string): Safe {
  const change = (text: string): string => visible(mask(text));
  const { data, list } = reply;
  return {
    ...reply,
    ...(data && { data: mapTexts(data, change) as Record<string, unknown> }),
    ...(list && { list: { ...list, items: mapTexts(list.items, change) as unknown[] } }),
  };
}

/** The result’s JSON. All that a platform can choose is inside of `data`. */
function wrapped({ note, handle, data, list, more }: Safe, shown: number): Record<string, unknown> {
  const hasData = data !== undefined || list !== undefined;
  return {
    ...(note !== undefined && { note }),
    ...(handle !== undefined && { handle }),
    ...(list && leftOf(list, shown)),
    // Long values are cut: the handle has them.
    ...(more !== undefined && { cut: { tool: 'read', handle: more } }),
    ...(hasData && { untrusted: true, data: { ...data, ...(list && { [list.name]: list.items.slice(0, shown) }) } }),
  };
}

function leftOf({ items, offset, total, next, hasMore }: ReplyList, shown: number): Record<string, unknown> {
  const isWhole = shown === items.length && (total === null ? !hasMore : offset + shown >= total);
  const counts = { shown, ...(total !== null && { total }) };
  if (isWhole || shown === 0) return counts;
  const more = next ? next(items[shown - 1], shown) : { offset: offset + shown };
  return { ...counts, ...(total !== null && { left: total - offset - shown }), next: more };
}

/** How many items fit. */
function count(reply: Safe, size: number): number {
  let [low, high] = [0, reply.list?.items.length ?? 0];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(wrapped(reply, middle), size)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** From the mildest to the strictest. */
const LEVELS = [
  { text: 4_000, items: 100, depth: 12 },
  { text: 1_000, items: 40, depth: 10 },
  { text: 400, items: 20, depth: 8 },
  { text: 160, items: 10, depth: 6 },
  { text: 80, items: 5, depth: 4 },
  { text: 40, items: 3, depth: 3 },
  { text: 20, items: 1, depth: 2 },
];

/** Cuts values in the data and in each item until the data and at least one item fit. */
function limit(reply: Safe, size: number): Safe {
  if (count(reply, size) > 0) return reply;
  // As long as a handle.
  const room = { ...reply, more: 'h_000000000000' };
  for (const level of LEVELS) {
    const data = reply.data && (cutValue(reply.data, level, 0) as Record<string, unknown>);
    const list = reply.list && {
      ...reply.list,
      items: reply.list.items.map((item) => cutValue(item, level, 0)),
    };
    const limited = { ...room, data, list };
    const needed = Math.min(1, list?.items.length ?? 0);
    if (fits(wrapped(limited, needed), size)) return limited;
  }
  return { ...room, data: undefined, list: undefined };
}

type Level = (typeof LEVELS)[number];

/** Says what was left out, where it was. */
function cutValue(value: unknown, level: Level, depth: number): unknown {
  if (typeof value === 'string') return cut(value, level.text);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (depth >= level.depth) return Array.isArray(value) ? `[… ${entries.length} items]` : '{…}';
  const kept = entries.slice(0, Array.isArray(value) ? level.items : level.items + 12);
  const left = entries.length - kept.length;
  const next = kept.map(([name, each]) => [cut(name, 200), cutValue(each, level, depth + 1)] as const);
  if (Array.isArray(value)) return [...next.map(([, each]) => each), ...(left > 0 ? [`… ${left} more items`] : [])];
  return Object.fromEntries([...next, ...(left > 0 ? [['…', `${left} more properties`]] : [])]);
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}… (${text.length - length} more characters)` : text;

/** So that a long result doesn’t expire all recordings. */
const KEPT_LENGTH = 8_000_000;

/** Of a list, only what the result shows: the rest can be asked for. */
function keep({ data, list }: Safe, shown: number, handles: Handles): string {
  const whole = JSON.stringify({ ...data, ...(list && { [list.name]: list.items.slice(0, shown) }) }, null, 1);
  const text = cut(whole, KEPT_LENGTH);
  return handles.add({ characters: text.length, text: () => text });
}

/** As much as fits, up to the end of a line if there’s one in the second half. */
function pieceOf({ text, offset }: { text: string; offset: number }, size: number): CallToolResult {
  const of = (length: number): Record<string, unknown> => {
    const end = offset + length;
    const counts = { offset, total: text.length, ...(end < text.length && { next: { offset: end } }) };
    return { ...counts, untrusted: true, data: { text: text.slice(offset, end) } };
  };
  let [low, high] = [0, Math.min(text.length - offset, size)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(of(middle), size)) low = middle;
    else high = middle - 1;
  }
  const lineEnd = text.lastIndexOf('\n', offset + low - 1) + 1 - offset;
  const isLast = offset + low >= text.length;
  return textResult(of(isLast || lineEnd < low / 2 ? low : lineEnd));
}

export const textResult = (value: object): CallToolResult => ({ content: [{ type: 'text', text: jsonOf(value) }] });

export const sizeOf = (value: object): number => Buffer.byteLength(JSON.stringify(textResult(value)));

const fits = (value: object, size: number): boolean => sizeOf(value) <= size;
