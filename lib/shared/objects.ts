/** Checks for the kinds of objects that JSON has. */

/** An object that isn’t null and isn’t an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
