/** Lays out code within a line width: groups that fit stay on one line, others break at each of their lines. */

const WIDTH = 120;
/** Deeper levels aren’t indented any further, so that their code still fits. */
const MAX_INDENT = 32;

interface Group {
  readonly group: Doc;
}
interface Indent {
  readonly indent: Doc;
}
interface Line {
  /** What the line is if its group fits: a space, or nothing. A hard line always breaks. */
  readonly line: 'space' | 'nothing' | 'hard';
}
/** Text with lines of its own, which stay as they are. */
interface Verbatim {
  readonly verbatim: string;
}
export type Doc = string | readonly Doc[] | Group | Indent | Line | Verbatim;

export const line: Line = { line: 'space' };
export const softLine: Line = { line: 'nothing' };
export const hardLine: Line = { line: 'hard' };
export const group = (...parts: Doc[]): Group => ({ group: parts });
export const indent = (...parts: Doc[]): Indent => ({ indent: parts });

export function join(parts: readonly Doc[], separator: Doc): Doc[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

/** Parts between an opening and a closing bracket, one per line if they don’t fit on one. */
export function bracketed(open: string, parts: readonly Doc[], close: string, edge: Line = softLine): Doc {
  if (parts.length === 0) return open + close;
  return group(open, indent(edge, join(parts, [',', line])), edge, close);
}

/** The document, in parentheses if they’re needed. */
export const parenthesized = (doc: Doc, isNeeded: boolean): Doc =>
  isNeeded ? group('(', indent(softLine, doc), softLine, ')') : doc;

/** A call. A single object or array stays next to the parentheses. */
export function call(callee: Doc, args: readonly Doc[]): Doc {
  const [only] = args;
  if (args.length !== 1 || !/^[[{]/.test(print(only as Doc))) return [callee, bracketed('(', args, ')')];
  return [callee, '(', only as Doc, ')'];
}

interface Item {
  doc: Doc;
  depth: number;
  isFlat: boolean;
}

/** Returns the text. No line is longer than 120 characters, unless a single string of the document is. */
export function print(doc: Doc): string {
  const out: string[] = [];
  let column = 0;
  const rest: Item[] = [{ doc, depth: 0, isFlat: false }];
  for (let item = rest.pop(); item; item = rest.pop()) {
    const { doc: part, depth, isFlat } = item;
    if (typeof part === 'string') {
      out.push(part);
      column += part.length;
    } else if ('group' in part) {
      const grouped: Item = { doc: part.group, depth, isFlat: true };
      rest.push({ ...grouped, isFlat: isFlat || fits(grouped, rest, WIDTH - column) });
    } else if ('indent' in part) {
      rest.push({ doc: part.indent, depth: depth + 1, isFlat });
    } else if ('verbatim' in part) {
      out.push(part.verbatim);
    } else if (!('line' in part)) {
      for (let index = part.length - 1; index >= 0; index--) rest.push({ doc: part[index] as Doc, depth, isFlat });
    } else if (isFlat && part.line !== 'hard') {
      out.push(part.line === 'space' ? ' ' : '');
      column += part.line === 'space' ? 1 : 0;
    } else {
      column = Math.min(depth * 2, MAX_INDENT);
      // An empty line has no spaces.
      if (out.length > 0) out.push((out.pop() as string).replace(/ +$/, ''));
      out.push(`\n${' '.repeat(column)}`);
    }
  }
  return out.join('');
}

/** Whether an item, and what follows it up to the next line break, fits into the width. */
function fits(item: Item, rest: readonly Item[], width: number): boolean {
  const items = [item];
  let next = rest.length;
  let left = width;
  while (left >= 0) {
    const current = items.pop() ?? rest[--next];
    if (!current) return true;
    const { doc, depth, isFlat } = current;
    if (typeof doc === 'string') left -= doc.length;
    else if ('group' in doc) items.push({ doc: doc.group, depth, isFlat });
    else if ('indent' in doc) items.push({ doc: doc.indent, depth, isFlat });
    else if ('verbatim' in doc) return !isFlat;
    else if (!('line' in doc))
      for (let index = doc.length - 1; index >= 0; index--) items.push({ doc: doc[index] as Doc, depth, isFlat });
    else if (doc.line === 'hard') return !isFlat;
    else if (!isFlat) return true;
    else left -= doc.line === 'space' ? 1 : 0;
  }
  return false;
}
