/** Matches what users marked as volatile: values that may differ between runs, such as times and generated IDs. */
import { parsePointer } from '../../shared/json-pointer.ts';

/**
 * JSON Pointers in which a token `*` is any one key or index, and `**` any number of them. Everything inside of what
 * matches is volatile, too.
 */
export type Volatile = readonly string[];

/** Whether a JSON Pointer is, or is inside of, what one of the patterns matches. */
export type IsVolatile = (pointer: string) => boolean;

export const MAX_PATTERNS = 200;
const MAX_LENGTH = 500;

const NEVER: IsVolatile = () => false;

export function compileVolatile(patterns: Volatile): IsVolatile {
  const compiled = patterns.slice(0, MAX_PATTERNS).filter(isPattern).map(parsePointer);
  if (compiled.length === 0) return NEVER;
  return (pointer) => {
    const tokens = parsePointer(pointer);
    return compiled.some((pattern) => matches(pattern, tokens, 0, 0));
  };
}

/** Whether the pattern matches the start of the tokens. */
function matches(pattern: readonly string[], tokens: readonly string[], from: number, at: number): boolean {
  for (let index = from; index < pattern.length; index++, at++) {
    const token = pattern[index];
    if (token === '**') {
      for (let skipped = at; skipped <= tokens.length; skipped++)
        if (matches(pattern, tokens, index + 1, skipped)) return true;
      return false;
    }
    if (at >= tokens.length || (token !== '*' && token !== tokens[at])) return false;
  }
  return true;
}

/** Whether a text is a pattern that matches less than everything. Several `**` would take long to match. */
export const isPattern = (text: string): boolean =>
  text.length <= MAX_LENGTH &&
  text.startsWith('/') &&
  !/^[/*]*$/.test(text) &&
  parsePointer(text).filter((token) => token === '**').length <= 2;

/** The pattern that’s offered for a difference: the same property of all items. */
export const patternFor = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/** Reads stored patterns. Anything else is left out. */
export function parseVolatile(text: string | undefined): Volatile {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(stored)) return [];
    return [...new Set(stored.filter((each) => typeof each === 'string' && isPattern(each)))].slice(0, MAX_PATTERNS);
  } catch {
    return [];
  }
}
