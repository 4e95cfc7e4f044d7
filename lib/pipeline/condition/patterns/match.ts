/**
 * Matches as JavaScript does, but never tries the same instruction at the same place twice: whether the rest matches
 * from there doesn’t depend on how it was reached, unless the pattern has backreferences.
 */
import { spend } from '../limits.ts';
import { type Backreference, type Character, OP, type Program, type Split } from './program.ts';

/** Instructions that count as one unit of a condition’s work. */
const STEPS = 8;
const PIECE = 1024 * STEPS;
/** Units for a call of the matcher, which takes more time than a step. */
const CALL = 4;
const FAILED = 1;
const SUCCEEDED = 2;

/**
 * What is left to try. Each entry has an instruction, the place, and the number of registers to revert. The instruction
 * is that of a lookaround, or of a split: complemented while its last way is being tried.
 */
let stack = new Int32Array(3 * 1024);
/** Registers and their former values. */
let undo = new Int32Array(2 * 1024);
const MAX_KEPT = 1_000_000;

function grown(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  spend(list.length / STEPS);
  const larger = new Int32Array(list.length * 2);
  larger.set(list);
  return larger;
}

/** Matches one text, from one place after another. */
export class Matcher {
  /** Where the last match’s captures start and end. -1 where one has matched nothing. */
  readonly registers: Int32Array;
  readonly #program: Program;
  readonly #text: string;
  readonly #isUnicode: boolean;
  readonly #remembers: boolean;
  /** What is known of each split: two bits per place and number of loops with progress. */
  readonly #known: (Uint8Array | undefined)[] = [];
  #undone = 0;

  constructor(program: Program, text: string, isUnicode: boolean) {
    this.#program = program;
    this.#text = text;
    this.#isUnicode = isUnicode;
    this.#remembers = program.backreferences.length === 0;
    this.registers = new Int32Array(program.registers);
  }

  /**
   * Finds the first match from this place on, or only one at this place. Its captures are in the registers.
   * @throws RangeError if the condition’s work exceeds its limit
   */
  find(from: number, isSticky: boolean): boolean {
    const last = isSticky ? from : this.#text.length;
    let steps = PIECE;
    spend(CALL + this.registers.length / 64);
    this.registers.fill(-1);
    this.#undone = 0;
    try {
      for (let start = from; start <= last; start += this.#isUnicode && isPair(this.#text, start) ? 2 : 1) {
        steps = this.#run(start, steps - STEPS / 2);
        if (this.registers[1] !== -1) {
          this.registers[0] = start;
          return true;
        }
        this.#revert(0);
      }
      return false;
    } finally {
      if (stack.length > MAX_KEPT) stack = new Int32Array(3 * 1024);
      if (undo.length > MAX_KEPT) undo = new Int32Array(2 * 1024);
      spend((PIECE - steps) / STEPS);
    }
  }

  /** Stores where the match ends in its register. Returns the steps that are left of those that are paid. */
  // oxlint-disable-next-line complexity, max-lines-per-function -- one loop over local variables is several times faster
  #run(start: number, paid: number): number {
    const { code, characters, splits } = this.#program;
    const text = this.#text;
    const isUnicode = this.#isUnicode;
    const remembers = this.#remembers;
    const { registers } = this;
    /** The entries of the lookarounds around this instruction. */
    const looks: number[] = [];
    let steps = paid;
    let at = start;
    let pc = 0;
    let top = 0;
    for (;;) {
      if (--steps <= 0) {
        spend(PIECE / STEPS);
        steps += PIECE;
      }
      const a = code[pc + 1] as number;
      const b = code[pc + 2] as number;
      let matches = true;
      switch (code[pc]) {
        case OP.character: {
          if (at === (b ? 0 : text.length)) matches = false;
          else if (!isUnicode) {
            matches = (characters[a] as Character).matches(text.charCodeAt(b ? at - 1 : at));
            at += b ? -1 : 1;
          } else {
            const from = b ? at - (isPair(text, at - 2) ? 2 : 1) : at;
            const value = text.codePointAt(from) as number;
            matches = (characters[a] as Character).matches(value);
            at = b ? from : from + (value > 0xffff ? 2 : 1);
          }
          break;
        }
        case OP.split: {
          const known = remembers ? this.#recall(code[pc + 3] as number, at) : 0;
          if (known === 0) {
            if (top + 3 > stack.length) stack = grown(stack);
            stack[top] = pc;
            stack[top + 1] = at;
            stack[top + 2] = this.#undone;
            top += 3;
            pc = a;
            continue;
          }
          if (known === SUCCEEDED) {
            pc = (splits[code[pc + 3] as number] as Split).lookEnd;
            continue;
          }
          matches = false;
          break;
        }
        case OP.jump:
          pc = a;
          continue;
        case OP.store:
          this.#store(a, at);
          break;
        case OP.clear:
          spend((b - a) / STEPS);
          for (let register = a; register < b; register++) this.#store(register, -1);
          break;
        case OP.progress:
          matches = registers[a] !== at;
          break;
        case OP.look:
          if (top + 3 > stack.length) stack = grown(stack);
          looks.push(top);
          stack[top] = pc;
          stack[top + 1] = at;
          stack[top + 2] = this.#undone;
          top += 3;
          break;
        case OP.lookEnd: {
          const entry = looks.pop() as number;
          const isNegative = code[a + 2] === 1;
          if (b === 0 && remembers) {
            spend((top - entry) / STEPS);
            for (top -= 3; top > entry; top -= 3) {
              const split = stack[top] as number;
              this.#revert(stack[top + 2] as number);
              this.#remember(code[(split < 0 ? ~split : split) + 3] as number, stack[top + 1] as number, SUCCEEDED);
            }
          }
          top = entry;
          at = stack[entry + 1] as number;
          if (isNegative) this.#revert(stack[entry + 2] as number);
          matches = !isNegative;
          break;
        }
        case OP.start:
          matches = at === 0 || (a === 1 && isLineEnd(text.charCodeAt(at - 1)));
          break;
        case OP.end:
          matches = at === text.length || (a === 1 && isLineEnd(text.charCodeAt(at)));
          break;
        case OP.boundary: {
          const word = characters[a] as Character;
          const isBefore = at > 0 && word.matches(text.charCodeAt(at - 1));
          const isAfter = at < text.length && word.matches(text.charCodeAt(at));
          matches = (isBefore !== isAfter) !== (b === 1);
          break;
        }
        case OP.backreference: {
          const length = this.#repeated(a, at, b);
          matches = length >= 0;
          at += b ? -length : length;
          break;
        }
        default:
          registers[1] = at;
          return steps;
      }
      pc += 4;
      if (matches) continue;
      // Goes back to the last way that is left.
      for (pc = -1; pc < 0;) {
        if (top === 0) return steps;
        const from = stack[top - 3] as number;
        at = stack[top - 2] as number;
        this.#revert(stack[top - 1] as number);
        if (from >= 0 && code[from] === OP.split) {
          if (remembers) stack[top - 3] = ~from;
          else top -= 3;
          pc = code[from + 2] as number;
          continue;
        }
        top -= 3;
        if (from < 0) this.#remember(code[~from + 3] as number, at, FAILED);
        else {
          looks.pop();
          if (code[from + 2] === 1) pc = code[from + 1] as number;
        }
      }
    }
  }

  #store(register: number, value: number): void {
    if (this.#undone + 2 > undo.length) undo = grown(undo);
    undo[this.#undone] = register;
    undo[this.#undone + 1] = this.registers[register] as number;
    this.#undone += 2;
    this.registers[register] = value;
  }

  #revert(to: number): void {
    for (; this.#undone > to; this.#undone -= 2)
      this.registers[undo[this.#undone - 2] as number] = undo[this.#undone - 1] as number;
  }

  #recall(split: number, at: number): number {
    const known = this.#known[split];
    if (!known) return 0;
    const index = this.#index(split, at);
    return ((known[index >> 2] as number) >> ((index & 3) * 2)) & 3;
  }

  #remember(split: number, at: number, outcome: number): void {
    const index = this.#index(split, at);
    const known = (this.#known[split] ??= this.#nothingKnown(split));
    known[index >> 2] = (known[index >> 2] as number) | (outcome << ((index & 3) * 2));
  }

  #nothingKnown(split: number): Uint8Array {
    const { loops } = this.#program.splits[split] as Split;
    const length = ((this.#text.length + 1) * (loops.length + 1)) / 4 + 1;
    spend(length / 64);
    return new Uint8Array(length);
  }

  /** Whether an iteration can end here depends on whether it has made progress, in each loop around the split. */
  #index(split: number, at: number): number {
    const { loops } = this.#program.splits[split] as Split;
    let progressed = 0;
    for (let index = 0; index < loops.length; index++) if (this.registers[loops[index] as number] !== at) progressed++;
    return at * (loops.length + 1) + progressed;
  }

  /** The length of the same text as that of a capture, or -1 if it isn’t here. */
  #repeated(list: number, at: number, behind: number): number {
    const { groups, same } = this.#program.backreferences[list] as Backreference;
    const { registers } = this;
    spend(groups.length / STEPS);
    const group = groups.find(
      (each) => Math.min(registers[2 * each] as number, registers[2 * each + 1] as number) >= 0,
    );
    if (group === undefined) return 0;
    const text = this.#text;
    const start = registers[2 * group] as number;
    const length = (registers[2 * group + 1] as number) - start;
    const from = behind ? at - length : at;
    if (from < 0 || from + length > text.length) return -1;
    for (let offset = 0; offset < length;) {
      spend(1 / STEPS);
      const isLong = this.#isUnicode && isPair(text, start + offset);
      const wanted = isLong ? text.codePointAt(start + offset) : text.charCodeAt(start + offset);
      const found = isLong ? text.codePointAt(from + offset) : text.charCodeAt(from + offset);
      if (wanted !== found) {
        if (!same) return -1;
        spend(1);
        if (!same.test(`${String.fromCodePoint(wanted as number)}-${String.fromCodePoint(found as number)}`)) return -1;
      }
      offset += isLong ? 2 : 1;
    }
    return length;
  }
}

const isLineEnd = (code: number): boolean => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;

/** Whether the code unit at this place and the next one are one character. */
export function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}
