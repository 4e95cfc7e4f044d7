/** Reads and writes JSON Pointers (RFC 6901). */

/** Escapes one reference token: `a/b` becomes `a~1b`. */
export function escapeToken(token: string | number): string {
  return String(token).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A pointer’s unescaped tokens. The empty pointer has none. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that a pointer refers to, or `undefined` if there is none. Reads own properties only. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of parsePointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}
