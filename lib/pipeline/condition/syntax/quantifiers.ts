/** Recognizes regular expressions such as `(a+)+`, which take twice as long for each additional character. */

const ESCAPE = /\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|\d+|[^])/y;
const OPEN = /\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/y;
const CLASS = /\[(?:[^\]\\]|\\[^])*\]/y;
const QUANTIFIER = /(?:([+*]|\{\d+,\})|(\{\d+(?:,\d+)?\})|\?)\??/y;

/** What is known of a group, or of the whole pattern, from its start up to a place in it. */
interface Group {
  readonly isLookaround: boolean;
  /** Items of the current alternative: characters, classes, escapes, and groups. */
  items: number;
  /** Whether the last item can be repeated without a limit. */
  repeats: boolean;
  /** Whether an earlier alternative is nothing but a repeated item. */
  found: boolean;
}

const isRepetition = ({ items, repeats, found }: Group): boolean => found || (items === 1 && repeats);

/** Whether a quantifier applies to a group with an alternative that is nothing but a repeated item. @param pattern must be valid */
export function hasNestedQuantifiers(pattern: string, flags: string): boolean {
  const open: Group[] = [];
  let group = start(false);
  for (let at = 0; at < pattern.length;) {
    const char = pattern[at];
    if (char === '(') {
      const opened = matchAt(OPEN, pattern, at)?.[0] ?? char;
      open.push(group);
      group = start(/[=!]$/.test(opened));
      at += opened.length;
    } else if (char === '|') {
      group = { ...start(group.isLookaround), found: isRepetition(group) };
      at++;
    } else {
      let inner = false;
      if (char === ')') {
        inner = isRepetition(group) && !group.isLookaround;
        group = open.pop() ?? start(false);
      }
      at = itemEnd(pattern, at, flags);
      const [quantifier = '', unlimited, limited] = matchAt(QUANTIFIER, pattern, at) ?? [];
      if (inner && (unlimited ?? limited)) return true;
      group.items++;
      group.repeats = inner || unlimited !== undefined;
      at += quantifier.length;
    }
  }
  return false;
}

const start = (isLookaround: boolean): Group => ({ isLookaround, items: 0, repeats: false, found: false });

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function itemEnd(pattern: string, at: number, flags: string): number {
  const char = pattern[at];
  if (char === '\\') return at + (matchAt(ESCAPE, pattern, at)?.[0].length ?? 1);
  if (char === '[' && flags.includes('v')) return nestedClassEnd(pattern, at);
  if (char === '[') return at + (matchAt(CLASS, pattern, at)?.[0].length ?? 1);
  return at + (/[uv]/.test(flags) ? String.fromCodePoint(pattern.codePointAt(at) ?? 0).length : 1);
}

/** With the flag v, classes can contain classes. */
function nestedClassEnd(pattern: string, start: number): number {
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '[') depth++;
    else if (char === ']' && --depth === 0) return at + 1;
  }
  return pattern.length;
}
