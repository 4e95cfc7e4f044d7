/** Regular expressions whose time is bounded by the length of pattern and text. */
import { mayCompare } from '../limits.ts';
import { type Cost, costOf } from './cost.ts';
import { Matcher, isPair } from './match.ts';
import { type Program, compilePattern } from './program.ts';
import { type Pattern, parsePattern } from './syntax.ts';

interface Known {
  readonly pattern: Pattern;
  readonly cost: Cost;
  program?: Program;
}

/** By source and flags. */
const patterns = new Map<string, Map<string, Known>>();

function knownOf(source: string, flags: string): Known {
  let ofSource = patterns.get(source);
  if (!ofSource) {
    if (patterns.size >= 1000) patterns.clear();
    patterns.set(source, (ofSource = new Map<string, Known>()));
  }
  let found = ofSource.get(flags);
  if (!found) {
    const pattern = parsePattern(source, flags);
    ofSource.set(flags, (found = { pattern, cost: costOf(pattern.root) }));
  }
  return found;
}

/** Most patterns are literals that are used at once. What is known of the last one needs no look-up. */
let last: { regexp: RegExp; known: Known; hasState: boolean } | undefined;

/** Creates a new regular expression each time, since `lastIndex` is mutable. */
export function literal(source: string, flags: string): () => RegExp {
  const hasState = /[gy]/.test(flags);
  let known: Known | undefined;
  return () => {
    const regexp = new RegExp(source, flags);
    known ??= knownOf(source, flags);
    last = { regexp, known, hasState };
    return regexp;
  };
}

/**
 * What to use once for this text, without changing the regular expression’s state: the browser’s own matcher if that
 * has a bounded time, otherwise one that finds the same.
 */
export function bounded(regexp: RegExp, text: string): RegExp {
  const literal = regexp === last?.regexp ? last : undefined;
  const copy = literal?.hasState === false ? regexp : new RegExp(regexp);
  const { cost } = literal?.known ?? knownOf(copy.source, copy.flags);
  return mayCompare(cost.factor * (text.length + 1) ** cost.degree) ? copy : new BoundedRegExp(copy);
}

/** All methods of regular expressions and strings call `exec`. */
export class BoundedRegExp extends RegExp {
  readonly #pattern: Pattern;
  readonly #program: Program;
  /** Kept, since methods such as replaceAll match one text many times. */
  #matcher: { text: string; matcher: Matcher } | undefined;

  #isReplacing = false;

  constructor(pattern: RegExp, flags?: string) {
    super(pattern, flags);
    const found = knownOf(this.source, this.flags);
    this.#pattern = found.pattern;
    this.#program = found.program ??= compilePattern(found.pattern);
  }

  /** With the flag v, V8 goes to a place within a pair of surrogates after an empty match, so it would never end. */
  override [Symbol.replace](text: string, replacement: unknown): string {
    this.#isReplacing = true;
    return super[Symbol.replace](text, replacement as string);
  }

  override exec(text: string): RegExpExecArray | null {
    const isUnicode = this.unicode || this.unicodeSets;
    const hasState = this.global || this.sticky;
    if (this.#matcher?.text !== text) this.#matcher = { text, matcher: new Matcher(this.#program, text, isUnicode) };
    const { matcher } = this.#matcher;
    let place = hasState ? this.lastIndex : 0;
    // With these flags, a place within a pair of surrogates is the one before it.
    if (isUnicode && place > 0 && isPair(text, place - 1)) place += this.#isReplacing && this.global ? 1 : -1;
    if (place <= text.length && matcher.find(place, this.sticky)) {
      if (hasState) this.lastIndex = matcher.registers[1] as number;
      return result(text, matcher.registers, this.#pattern, this.hasIndices);
    }
    if (hasState) this.lastIndex = 0;
    return null;
  }
}

function result(text: string, places: Int32Array, pattern: Pattern, hasIndices: boolean): RegExpExecArray {
  const indices = Array.from({ length: pattern.captures }, (_, index): [number, number] | undefined => {
    const [start = -1, end = -1] = places.subarray(2 * index, 2 * index + 2);
    return start < 0 || end < 0 ? undefined : [start, end];
  });
  const captures = indices.map((range) => range && text.slice(...range));
  return Object.assign(captures, {
    index: places[0],
    input: text,
    groups: byName(captures, pattern),
    ...(hasIndices && { indices: Object.assign(indices, { groups: byName(indices, pattern) }) }),
  }) as unknown as RegExpExecArray;
}

function byName<T>(captures: readonly T[], { names }: Pattern): Record<string, T> | undefined {
  if (names.length === 0) return undefined;
  const groups = Object.create(null) as Record<string, T>;
  for (const [name, index] of names) groups[name] = captures[index] ?? (groups[name] as T);
  return groups;
}
