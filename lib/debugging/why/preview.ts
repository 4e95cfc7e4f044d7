/** Writes values on one line, shortened. */
import { truncate } from '../../shared/format.ts';

/** Maximum characters of a value inside of another one. */
const NESTED = 20;

/**
 * A value as JavaScript, such as `{id: 12, name: "Ada"}`. What doesn’t fit, or can’t be read, becomes `…`.
 * @param length maximum characters, about
 */
export function previewValue(value: unknown, length = 40): string {
  switch (typeof value) {
    case 'string':
      return truncate(JSON.stringify(truncate(value, length)), length);
    case 'bigint':
      return truncate(`${value}n`, length);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'function':
      return 'function';
    case 'object':
      return value === null ? 'null' : previewObject(value, length);
    default:
      return String(value);
  }
}

function previewObject(value: object, length: number): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof RegExp) return truncate(String(value), length);
  if (!Array.isArray(value)) return `{${entriesText(value, Object.keys(value), length)}}`;
  const count = value.length > 3 ? `(${value.length}) ` : '';
  // Not all of the keys of a long array.
  return `${count}[${entriesText(value, Object.keys(value.slice(0, length)), length, value.length)}]`;
}

function entriesText(holder: object, keys: readonly string[], length: number, total = keys.length): string {
  if (length < 8) return total > 0 ? '…' : '';
  const parts: string[] = [];
  let room = length;
  for (const key of keys) {
    const label = Array.isArray(holder) ? '' : `${truncate(key, NESTED)}: `;
    const part = label + previewProperty(holder, key, Math.min(NESTED, room));
    room -= part.length + 2;
    if (room < 0) break;
    parts.push(part);
  }
  if (parts.length < total) parts.push('…');
  return parts.join(', ');
}

/** A property that the recording doesn’t have throws. */
function previewProperty(holder: object, key: string, length: number): string {
  try {
    return previewValue((holder as Record<string, unknown>)[key], length);
  } catch {
    return '…';
  }
}
