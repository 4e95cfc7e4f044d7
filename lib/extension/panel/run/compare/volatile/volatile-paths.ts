/** Stores which paths of an action are volatile, as versioned JSON. */
import { isPattern, MAX_PATTERNS, parseVolatile, type Volatile } from '../../../../../debugging/compare/volatile.ts';
import { isRecord } from '../../../../../shared/objects.ts';
import type { MockDocument } from '../../mocks/mock-document.ts';
import type { DocumentKind } from '../../mocks/stored-mocks.ts';

/** An action’s ignored paths. Every panel sees the same ones. */
export type VolatileDocument = MockDocument<Volatile>;

const VERSION = 1;

export const VOLATILE_PATHS: DocumentKind<Volatile> = {
  name: 'volatile',
  empty: [],
  write: (paths) => JSON.stringify({ version: VERSION, paths }),
  read: (text) => {
    const stored = parseJson(text);
    const version = isRecord(stored) ? stored['version'] : null;
    if (typeof version === 'number' && version > VERSION)
      return {
        ok: false,
        error: {
          code: 'VOLATILE_NEWER',
          message: 'Couldn’t read this action’s ignored paths: a newer version of the extension stored them.',
          hint: 'Update the extension. Until then, nothing is ignored.',
        },
      };
    if (!isRecord(stored) || version !== VERSION || !Array.isArray(stored['paths']))
      return {
        ok: false,
        error: {
          code: 'VOLATILE_DAMAGED',
          message: 'Couldn’t read this action’s ignored paths: the stored data is damaged. Nothing is ignored.',
          hint: 'Choose “Start over”, then ignore paths again.',
        },
      };
    return { ok: true, value: parseVolatile(JSON.stringify(stored['paths'])) };
  },
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Why a text can’t be ignored as a path; null if it can. */
export function patternProblem(text: string, paths: Volatile): string | null {
  if (paths.includes(text)) return 'This path is already ignored.';
  if (paths.length >= MAX_PATTERNS) return `An action has at most ${MAX_PATTERNS} ignored paths.`;
  return isPattern(text) ? null : 'A path must be a JSON Pointer, such as /records/*/updatedAt.';
}
