/** Regular expressions whose time is bounded by the length of pattern and text. */
import { mayCompare, spend } from '../limits.ts';
import { type Cost, costOf } from './cost.ts';
import { Matcher, isPair } from './match.ts';
import { type Program, compilePattern } from './program.ts';
import { type Pattern, parsePattern } from './syntax.ts';

interface Known {
  readonly pattern: Pattern;
  readonly cost: Cost;
}

/** By source and flags. */
const patterns = new Map<string, Map<string, Known>>();
const programs = new Map<Pattern, Program>();
/** Both are emptied when they need many MB: a recording can have thousands of patterns. */
const MAX_SOURCES = 500_000;
const MAX_CODE = 1_000_000;
let sources = 0;
let code = 0;

function programOf(pattern: Pattern): Program {
  let program = programs.get(pattern);
  if (!program) {
    program = compilePattern(pattern);
    code += program.code.length;
    if (code > MAX_CODE) {
      programs.clear();
      code = program.code.length;
    }
    programs.set(pattern, program);
  }
  return program;
}

function knownOf(source: string, flags: string): Known {
  let ofSource = patterns.get(source);
  if (!ofSource) {
    sources += source.length;
    if (sources > MAX_SOURCES) {
      patterns.clear();
      sources = source.length;
    }
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
  // With both flags, V8’s replace never ends at a pair of surrogates once a page has changed RegExp.prototype.
  const mayEnd = !(copy.global && copy.unicodeSets);
  return mayEnd && mayCompare(cost.factor * (text.length + 1) ** cost.degree) ? copy : new BoundedRegExp(copy);
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
    this.#program = programOf(found.pattern);
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
  // A result takes as long as many steps.
  spend(8 + pattern.captures);
  const captures: (string | undefined)[] = [];
  const indices: ([number, number] | undefined)[] = [];
  for (let index = 0; index < pattern.captures; index++) {
    const start = places[2 * index] as number;
    const end = places[2 * index + 1] as number;
    const isMatched = start >= 0 && end >= 0;
    captures.push(isMatched ? text.slice(start, end) : undefined);
    if (hasIndices) indices.push(isMatched ? [start, end] : undefined);
  }
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
