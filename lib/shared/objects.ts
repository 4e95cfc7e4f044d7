/** Type checks for JSON objects. */

/** Whether the value is an object, but not null or an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
