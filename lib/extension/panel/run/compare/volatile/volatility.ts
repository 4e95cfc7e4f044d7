/** Decides which differences are ignored as volatile, and counts them. */
import {
  compileVolatile,
  type IsVolatile,
  patternFor,
  type Volatile,
} from '../../../../../debugging/compare/volatile.ts';
import { parsePointer } from '../../../../../shared/json-pointer.ts';
import type { Ignore } from '../align/remote-items.ts';

/** What a path leads into. The payload is the first context. */
export type Scope = 'context' | 'settings' | 'value' | 'result';

/** Patterns of anything but the context begin with what they’re of. */
export const ROOTS: Record<Scope, string> = {
  context: '',
  settings: '/(settings)',
  value: '/(returned)',
  result: '/(result)',
};

export class Volatility {
  /** The number of differences that were ignored so far. */
  ignored = 0;
  readonly patterns: Volatile;
  readonly #isVolatile: IsVolatile;

  constructor(patterns: Volatile = []) {
    this.patterns = patterns;
    this.#isVolatile = compileVolatile(patterns);
  }

  /** Undefined if nothing is ignored. */
  in(scope: Scope): Ignore | undefined {
    if (this.patterns.length === 0) return undefined;
    const root = ROOTS[scope];
    return (path) => this.#isVolatile(root + path);
  }

  /** As `in`, but counts what is ignored. */
  counting(scope: Scope): Ignore | undefined {
    const isIgnored = this.in(scope);
    return (
      isIgnored &&
      ((path) => {
        if (!isIgnored(path)) return false;
        this.ignored++;
        return true;
      })
    );
  }
}

export interface OfferedPattern {
  pattern: string;
  label: string;
}

/** What can be ignored for a difference: its path in all items, or its property wherever it is. None for whole values. */
export function offeredPatterns(scope: Scope, path: string): OfferedPattern[] {
  if (path === '') return [];
  const pattern = ROOTS[scope] + patternFor(path);
  const name = parsePointer(path).at(-1) ?? '';
  const everywhere = `/**${path.slice(path.lastIndexOf('/'))}`;
  const offered = [{ pattern, label: 'Ignore this path' }];
  if (!/^\d*$/.test(name) && everywhere !== pattern)
    offered.push({ pattern: everywhere, label: `Ignore “${name}” everywhere` });
  return offered;
}
