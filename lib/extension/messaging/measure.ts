/** Measures a value’s JSON size and checks that it’s plain data, with bounded time and stack depth. */

/** Maximum nesting. Some browsers can’t serialize deeper values. */
export const DEPTH_LIMIT = 1_000;

/** Size in characters of JSON, capped at `limit + 1`, or why the value can’t be measured. */
export type Measured = number | 'deep' | 'not data';

/** Structured clones can contain cycles, which count as too deep, and values that JSON can’t represent. */
export function measure(value: unknown, limit: number): Measured {
  try {
    return measured(value, limit);
  } catch {
    // Reading a value or its properties can throw.
    return 'not data';
  }
}

function measured(value: unknown, limit: number): Measured {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let size = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.depth > DEPTH_LIMIT) return 'deep';
    const own = sizeOf(next.value, limit - size);
    if (own === null) return 'not data';
    size += own;
    if (size > limit) return limit + 1;
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const inner of Array.isArray(next.value) ? next.value : Object.values(next.value))
      waiting.push({ value: inner as unknown, depth: next.depth + 1 });
  }
  return size;
}

/** Size excluding nested values; null if the value isn’t data. Stops once the size exceeds `room`. */
function sizeOf(value: unknown, room: number): number | null {
  switch (typeof value) {
    case 'string':
      return textSize(value, room);
    case 'number':
    case 'boolean':
      return String(value).length;
    case 'undefined':
      return 0;
    case 'object':
      break;
    default:
      return null;
  }
  if (value === null) return 4;
  // Each item adds a comma. Holes count, too, because JSON serializes them as null.
  if (Array.isArray(value)) return 2 + Math.max(0, value.length - 1);
  if (Object.prototype.toString.call(value) !== '[object Object]') return null;
  let size = 1;
  for (const key of Object.keys(value)) {
    size += textSize(key, room) + 2;
    if (size > room) break;
  }
  return Math.max(2, size);
}

/** Characters that JSON can escape. Text without them is measured without `JSON.stringify`, in half the time. */
const ESCAPABLE = /["\\\p{Cc}\p{Cs}]/u;

const textSize = (text: string, room: number): number => {
  if (text.length > room) return text.length;
  return ESCAPABLE.test(text) ? JSON.stringify(text).length : text.length + 2;
};
