/** Compiles patterns to instructions for the matcher. */
import { count, spend } from '../limits.ts';
import type { Part, Pattern, Repeat } from './syntax.ts';

/** What an instruction does. Its operands are a and b. */
export const OP = {
  /** Needs character a of the program’s characters. b is 1 if it’s before this place. */
  character: 0,
  /** Tries instruction a, then b. It’s split c. */
  split: 1,
  /** Continues at a. */
  jump: 2,
  /** Stores the place in register a. */
  store: 3,
  /** Removes the captures in registers a to b - 1. */
  clear: 4,
  /** Fails if the place is still that of register a. */
  progress: 5,
  /** Tries the instructions up to lookEnd, which is before a. b is 1 if they must fail. */
  look: 6,
  /** The end of the lookaround that starts at a. b is 1 if it has captures. */
  lookEnd: 7,
  /** The start of the text, or of a line if a is 1. */
  start: 8,
  /** The end of the text, or of a line if a is 1. */
  end: 9,
  /** The start or end of a word, whose characters are character a. b is 1 for every other place. */
  boundary: 10,
  /** The text of a capture of list a. b is 1 if it’s before this place. */
  backreference: 11,
  match: 12,
} as const;

/** Instructions are four numbers: the operation, a, b, and c. */
export interface Program {
  readonly code: Int32Array;
  readonly characters: readonly Character[];
  readonly backreferences: readonly Backreference[];
  /** The first ones are the starts and ends of captures. */
  readonly registers: number;
  readonly splits: readonly Split[];
}

export interface Backreference {
  /** The captures with its name, of which at most one has matched. */
  readonly groups: readonly number[];
  /** With the flag i: matches two characters with - in between, if they are the same, such as a and A. */
  readonly same: RegExp | undefined;
}

export interface Split {
  /** Loops around it that need progress, as registers. */
  readonly loops: readonly number[];
  /** The end of its lookaround, or -1. */
  lookEnd: number;
}

const MAX_INSTRUCTIONS = 50_000;

/** @throws RangeError if the pattern repeats too much, such as `(a{1000}){1000}` */
export function compilePattern({ root, captures }: Pattern): Program {
  return new PatternCompiler(captures).whole(root);
}

class PatternCompiler {
  readonly #code: number[] = [];
  readonly #characters = new Map<string, Character>();
  readonly #backreferences: Backreference[] = [];
  readonly #splits: Split[] = [];
  #registers: number;
  #loops: number[] = [];
  /** Splits of the current lookaround, whose end isn’t known yet. */
  #inLook: Split[] = [];
  #behind = 0;

  constructor(captures: number) {
    this.#registers = captures * 2;
  }

  whole(root: Part): Program {
    this.#emit(root);
    this.#add(OP.match);
    return {
      code: Int32Array.from(this.#code),
      characters: [...this.#characters.values()],
      backreferences: this.#backreferences,
      registers: this.#registers,
      splits: this.#splits,
    };
  }

  #add(operation: number, a = 0, b = 0, c = 0): number {
    if (this.#code.length >= 4 * MAX_INSTRUCTIONS)
      throw new RangeError(`Patterns for long strings are limited to ${count(MAX_INSTRUCTIONS)} parts.`);
    return this.#code.push(operation, a, b, c) - 4;
  }

  get #next(): number {
    return this.#code.length;
  }

  /** Tries what follows first, or last if it’s lazy. Returns what sets where the other one starts. */
  #split(lazy: boolean): (other: number) => void {
    const split = { loops: this.#loops, lookEnd: -1 };
    const at = this.#add(OP.split, 0, 0, this.#splits.push(split) - 1);
    this.#inLook.push(split);
    const next = this.#next;
    return (other) => {
      this.#code[at + 1] = lazy ? other : next;
      this.#code[at + 2] = lazy ? next : other;
    };
  }

  #emit(part: Part): void {
    switch (part.kind) {
      case 'character':
        this.#add(OP.character, this.#character(part.pattern, part.flags), this.#behind);
        break;
      case 'strings':
        throw new RangeError('Sets with strings, such as [\\q{ab}], can’t match a string this long.');
      case 'sequence':
        for (const each of this.#behind ? part.parts.toReversed() : part.parts) this.#emit(each);
        break;
      case 'alternatives':
        this.#alternatives(part.parts);
        break;
      case 'capture':
        this.#add(OP.store, 2 * part.index + this.#behind);
        this.#emit(part.body);
        this.#add(OP.store, 2 * part.index + 1 - this.#behind);
        break;
      case 'lookaround':
        this.#look(part.body, part.behind, part.negative);
        break;
      case 'repeat':
        this.#repeat(part);
        break;
      case 'start':
      case 'end':
        this.#add(OP[part.kind], Number(part.multiline));
        break;
      case 'boundary':
        this.#add(OP.boundary, this.#character('\\w', part.flags), Number(part.negative));
        break;
      case 'backreference':
        this.#add(OP.backreference, this.#backreference(part), this.#behind);
    }
  }

  #character(pattern: string, flags: string): number {
    const key = `${flags}/${pattern}`;
    if (!this.#characters.has(key)) this.#characters.set(key, new Character(pattern, flags, this.#characters.size));
    return (this.#characters.get(key) as Character).index;
  }

  #backreference({ groups, flags }: { groups: readonly number[]; flags: string }): number {
    const same = flags.includes('i') ? new RegExp('^([^])-\\1$', flags) : undefined;
    return this.#backreferences.push({ groups, same }) - 1;
  }

  #alternatives(parts: readonly Part[]): void {
    const jumps: number[] = [];
    parts.forEach((part, index) => {
      const setOther = index < parts.length - 1 ? this.#split(false) : undefined;
      this.#emit(part);
      if (setOther) {
        jumps.push(this.#add(OP.jump));
        setOther(this.#next);
      }
    });
    for (const jump of jumps) this.#code[jump + 1] = this.#next;
  }

  #look(body: Part, behind: boolean, negative: boolean): void {
    const outer = { loops: this.#loops, inLook: this.#inLook, behind: this.#behind };
    this.#loops = [];
    this.#inLook = [];
    this.#behind = Number(behind);
    const start = this.#add(OP.look, 0, Number(negative));
    this.#emit(body);
    const end = this.#add(OP.lookEnd, start, Number(hasCaptures(body)));
    for (const split of this.#inLook) split.lookEnd = end;
    this.#code[start + 1] = this.#next;
    this.#loops = outer.loops;
    this.#inLook = outer.inLook;
    this.#behind = outer.behind;
  }

  #repeat({ body, min, max, lazy, first, end }: Repeat): void {
    const once = (register = -1): void => {
      const loops = this.#loops;
      if (register >= 0) {
        this.#add(OP.store, register);
        this.#loops = [...loops, register];
      }
      if (end > first) this.#add(OP.clear, 2 * first, 2 * end);
      this.#emit(body);
      this.#loops = loops;
      if (register >= 0) this.#add(OP.progress, register);
    };
    for (let times = 0; times < min; times++) once();
    if (max === min) return;
    const register = canBeEmpty(body) ? this.#registers++ : -1;
    const start = this.#next;
    if (max === Infinity) {
      const setEnd = this.#split(lazy);
      once(register);
      this.#add(OP.jump, start);
      setEnd(this.#next);
      return;
    }
    const ends: ((end: number) => void)[] = [];
    for (let times = min; times < max; times++) {
      ends.push(this.#split(lazy));
      once(register);
    }
    for (const setEnd of ends) setEnd(this.#next);
  }
}

function canBeEmpty(part: Part): boolean {
  switch (part.kind) {
    case 'character':
      return false;
    case 'sequence':
      return part.parts.every(canBeEmpty);
    case 'alternatives':
      return part.parts.some(canBeEmpty);
    case 'capture':
      return canBeEmpty(part.body);
    case 'repeat':
      return part.min === 0 || canBeEmpty(part.body);
    default:
      return true;
  }
}

function hasCaptures(part: Part): boolean {
  if (part.kind === 'capture') return true;
  if ('parts' in part) return part.parts.some(hasCaptures);
  return 'body' in part && hasCaptures(part.body);
}

/** One character, class, or escape. Its matches are those of a regular expression. Below 256, they are remembered. */
export class Character {
  readonly index: number;
  readonly #pattern: RegExp;
  /** By code: 0 if it isn’t known yet, 1 if it doesn’t match, 2 if it does. */
  readonly #known = new Uint8Array(256);

  constructor(pattern: string, flags: string, index: number) {
    this.#pattern = new RegExp(`^(?:${pattern})$`, flags);
    this.index = index;
  }

  matches(code: number): boolean {
    if (code > 255) {
      // All of them would need too much memory.
      spend(1);
      return this.#pattern.test(String.fromCodePoint(code));
    }
    this.#known[code] ||= this.#pattern.test(String.fromCharCode(code)) ? 2 : 1;
    return this.#known[code] === 2;
  }
}
