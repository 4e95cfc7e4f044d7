/** Measures the JSON size of a value and checks that it is plain data, with bounded time and stack. */

/** Deepest nesting; beyond it some browsers cannot write a value down. */
export const DEPTH_LIMIT = 1_000;

/** Characters of its JSON, or why that cannot be said. `most + 1` stands for all that is larger. */
export type Measured = number | 'deep' | 'not data';

/** Structured clones can hold cycles, which are as deep as it gets, and things that JSON has no word for. */
export function measure(value: unknown, most: number): Measured {
  try {
    return measured(value, most);
  } catch {
    // A property, or the value itself, throws when it is looked at.
    return 'not data';
  }
}

function measured(value: unknown, most: number): Measured {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let size = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.depth > DEPTH_LIMIT) return 'deep';
    const own = sizeOf(next.value, most - size);
    if (own === null) return 'not data';
    size += own;
    if (size > most) return most + 1;
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const inner of Array.isArray(next.value) ? next.value : Object.values(next.value))
      waiting.push({ value: inner as unknown, depth: next.depth + 1 });
  }
  return size;
}

/** Of the value without those within it; null when it is no data. Never more work than `room` needs. */
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
  // Each has its comma; holes count too, as JSON writes them out.
  if (Array.isArray(value)) return 2 + Math.max(0, value.length - 1);
  if (Object.prototype.toString.call(value) !== '[object Object]') return null;
  let size = 1;
  for (const key of Object.keys(value)) {
    size += textSize(key, room) + 2;
    if (size > room) break;
  }
  return Math.max(2, size);
}

const textSize = (text: string, room: number): number =>
  text.length > room ? text.length : JSON.stringify(text).length;
