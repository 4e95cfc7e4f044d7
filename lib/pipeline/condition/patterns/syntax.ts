/** Parses regular expressions that JavaScript accepts, in all of its forms, including those of Annex B. */

/** A part of a pattern. `pattern` and `flags` of a character are a regular expression for that character only. */
export type Part =
  | { readonly kind: 'character'; readonly pattern: string; readonly flags: string }
  /** A set of the flag v with strings, which match several characters. At most this many of them match at a place. */
  | { readonly kind: 'strings'; readonly ways: number }
  | { readonly kind: 'sequence' | 'alternatives'; readonly parts: readonly Part[] }
  | { readonly kind: 'capture'; readonly index: number; readonly body: Part }
  | { readonly kind: 'lookaround'; readonly body: Part; readonly behind: boolean; readonly negative: boolean }
  | Repeat
  | { readonly kind: 'start' | 'end'; readonly multiline: boolean }
  | { readonly kind: 'boundary'; readonly negative: boolean; readonly flags: string }
  | { readonly kind: 'backreference'; readonly groups: readonly number[]; readonly flags: string };

export interface Repeat {
  readonly kind: 'repeat';
  readonly body: Part;
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
  /** The captures in the body: from this index to the one before `end`. */
  readonly first: number;
  readonly end: number;
}

export interface Pattern {
  readonly root: Part;
  /** The number of captures, including the entire match. */
  readonly captures: number;
  /** Names of captures in the order of the pattern. Alternatives can use the same name. */
  readonly names: readonly (readonly [name: string, index: number])[];
}

const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])/y;
const UNICODE_ESCAPE =
  /\\(?:[pPu]\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])/y;
const OCTAL = /\\(?:[0-3][0-7]{0,2}|[4-7][0-7]?)/y;
const NUMBER = /\\([1-9]\d*)/y;
const NAME = /\\k<([^>]*)>/y;
const CLASS = /\[(?:[^\]\\]|\\[^])*\]/y;
const GROUP = /\((?:\?(?:(<?)([=!])|<([^>]*)>|([a-z]*)(?:-([a-z]*))?:))?/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/y;
const STRINGS = /\\q\{|\\p\{(?:Basic_Emoji|Emoji_Keycap_Sequence|RGI_)/;

/** @param source must be valid */
export function parsePattern(source: string, flags: string): Pattern {
  return new PatternParser(source, flags).whole();
}

class PatternParser {
  readonly #source: string;
  readonly #isUnicode: boolean;
  readonly #hasSets: boolean;
  readonly #names: [string, number][] = [];
  readonly #groups = new Map<string, number[]>();
  readonly #captures: number;
  /** Those of `i`, `m`, and `s` that hold here. */
  #flags: string;
  #at = 0;
  #capture = 1;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#isUnicode = /[uv]/.test(flags);
    this.#hasSets = flags.includes('v');
    this.#flags = flags.replace(/[^imsuv]/g, '');
    this.#captures = this.#countCaptures();
  }

  whole(): Pattern {
    return { root: this.#alternatives(), captures: this.#captures, names: this.#names };
  }

  /** Finds the captures first, since a backreference can be before its group. */
  #countCaptures(): number {
    let count = 1;
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at];
      if (char === '(') {
        const [, , look, name, on] = this.#take(GROUP) as RegExpExecArray;
        if (name !== undefined) this.#name(unescapeName(name), count);
        if (look === undefined && on === undefined) count++;
      } else if (char === '[') this.#skipClass();
      else this.#at += char === '\\' ? 2 : 1;
    }
    this.#at = 0;
    return count;
  }

  #name(name: string, index: number): void {
    this.#names.push([name, index]);
    const groups = this.#groups.get(name);
    if (groups) groups.push(index);
    else this.#groups.set(name, [index]);
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found) this.#at += found[0].length;
    return found;
  }

  #alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'alternatives', parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] as string)) {
      const first = this.#capture;
      const part = this.#part();
      parts.push(this.#quantified(part, first));
    }
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'sequence', parts };
  }

  #quantified(body: Part, first: number): Part {
    const found = this.#take(QUANTIFIER);
    if (!found) return body;
    const [, sign, from, comma, to, lazy] = found;
    const min = sign ? Number(sign === '+') : Number(from);
    const max = sign ? (sign === '?' ? 1 : Infinity) : !comma ? min : to ? Number(to) : Infinity;
    return { kind: 'repeat', body, min, max, lazy: lazy === '?', first, end: this.#capture };
  }

  #part(): Part {
    const start = this.#at;
    const char = this.#source[start] as string;
    const multiline = this.#flags.includes('m');
    switch (char) {
      case '(':
        return this.#group();
      case '[':
        this.#skipClass();
        return this.#character(this.#source.slice(start, this.#at));
      case '\\':
        return this.#escape();
      case '^':
      case '$':
        this.#at++;
        return { kind: char === '^' ? 'start' : 'end', multiline };
      case '.':
        this.#at++;
        return this.#character('.');
    }
    const code = (this.#isUnicode ? this.#source.codePointAt(start) : char.charCodeAt(0)) as number;
    this.#at += code > 0xffff ? 2 : 1;
    return this.#character(escapeCode(code));
  }

  #character(pattern: string): Part {
    if (this.#hasSets && STRINGS.test(pattern)) return { kind: 'strings', ways: 64 + pattern.split('|').length };
    return { kind: 'character', pattern, flags: this.#flags.replace('m', '') };
  }

  #group(): Part {
    const [, behind, look, , on, off] = this.#take(GROUP) as RegExpExecArray;
    const flags = this.#flags;
    const index = look === undefined && on === undefined ? this.#capture++ : 0;
    if (on !== undefined)
      this.#flags = `${flags}${on}`.replace(/./g, (flag, at: number, all: string) =>
        all.indexOf(flag) < at || off?.includes(flag) ? '' : flag,
      );
    const body = this.#alternatives();
    this.#at++;
    this.#flags = flags;
    if (look !== undefined) return { kind: 'lookaround', body, behind: behind === '<', negative: look === '!' };
    return index === 0 ? body : { kind: 'capture', index, body };
  }

  // oxlint-disable-next-line complexity -- one case per kind of escape
  #escape(): Part {
    const next = this.#source[this.#at + 1] as string;
    const flags = this.#flags.replace('m', '');
    if (next === 'b' || next === 'B') {
      this.#at += 2;
      return { kind: 'boundary', negative: next === 'B', flags };
    }
    if (next === 'k' && (this.#isUnicode || this.#names.length > 0)) {
      const name = unescapeName(this.#take(NAME)?.[1] ?? '');
      return { kind: 'backreference', groups: this.#groups.get(name) ?? [], flags };
    }
    const start = this.#at;
    const index = Number(this.#take(NUMBER)?.[1]);
    if (index < this.#captures) return { kind: 'backreference', groups: [index], flags };
    this.#at = start;
    // In Annex B, `\c` without a letter is a backslash and a c.
    if (next === 'c' && !/[a-z]/i.test(this.#source[start + 2] ?? '')) {
      this.#at++;
      return this.#character('\\\\');
    }
    if (!(this.#isUnicode ? this.#take(UNICODE_ESCAPE) : (this.#take(OCTAL) ?? this.#take(ESCAPE))))
      throw new SyntaxError('A pattern can’t end with a backslash.');
    return this.#character(this.#source.slice(start, this.#at));
  }

  #skipClass(): void {
    if (!this.#hasSets) {
      this.#take(CLASS);
      return;
    }
    // With the flag v, classes can contain classes.
    let depth = 0;
    do {
      const char = this.#source[this.#at];
      if (char === '[') depth++;
      else if (char === ']') depth--;
      this.#at += char === '\\' ? 2 : 1;
    } while (depth > 0 && this.#at < this.#source.length);
  }
}

/** The code of a character as an escape, which has no other meaning anywhere in a pattern. */
const escapeCode = (code: number): string =>
  code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;

function unescapeName(name: string): string {
  return name.replace(/\\u\{?([\da-fA-F]+)\}?/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
