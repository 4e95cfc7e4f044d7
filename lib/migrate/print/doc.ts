/** Lays out code within a line width: groups that fit stay on one line, others break at each of their lines. */
import { withoutEnd } from '../../shared/text-end.ts';

const WIDTH = 120;
/** Deeper levels aren’t indented any further, so that their code still fits. */
const MAX_INDENT = 32;
/** Columns beside a literal that is alone on its line: quotes, an operator, `result = `. */
const BESIDE = 16;

const indentAt = (depth: number): number => Math.min(depth * 2, MAX_INDENT);
const widthAt = (depth: number): number => WIDTH - BESIDE - indentAt(depth);
/** The width of a literal that fits in its line, however deep the code is. */
export const LEAST_WIDTH = widthAt(MAX_INDENT);

/** What a document is instead if it begins a line: its further lines aren’t indented once more. */
interface Aligned {
  readonly aligned?: Doc;
}
interface Group extends Aligned {
  readonly group: Doc;
}
/** One form if it fits on the line, another otherwise. */
interface Choice extends Aligned {
  readonly whole: Doc;
  /** @param width of a literal, so that its line fits */
  readonly broken: (width: number) => Doc;
}
interface Indent {
  readonly indent: Doc;
}
interface Line {
  /** What the line is if its group fits: a space, or nothing. A hard line always breaks. */
  readonly line: 'space' | 'nothing' | 'hard';
  /** What ends the line if it breaks. */
  readonly after?: ',';
}
/** Text with lines of its own, which stay as they are. */
interface Verbatim {
  readonly verbatim: string;
}
export type Doc = string | readonly Doc[] | Group | Choice | Indent | Line | Verbatim;

export const line: Line = { line: 'space' };
export const softLine: Line = { line: 'nothing' };
export const hardLine: Line = { line: 'hard' };
export const group = (...parts: Doc[]): Group => ({ group: parts });
export const indent = (...parts: Doc[]): Indent => ({ indent: parts });

const isAligned = (doc: Doc): doc is (Group | Choice) & { readonly aligned: Doc } =>
  typeof doc === 'object' && 'aligned' in doc;

/** The document at the beginning of a line. */
export const atLineStart = (doc: Doc): Doc => (isAligned(doc) ? doc.aligned : doc);

/** An operand and others with their operators, which have lines of their own if not all fit on one. */
export const operands = (first: Doc, tail: Doc): Doc => ({
  group: [first, indent(tail)],
  aligned: group(first, tail),
});

/** A value after `key:` or `name =`. A long text or a long operation begins on the next line. */
export const assigned = (before: Doc, value: Doc): Doc =>
  isAligned(value) ? group(before, indent(line, value.aligned)) : [before, ' ', value];

export function join(parts: readonly Doc[], separator: Doc): Doc[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

/** Parts between an opening and a closing bracket, one per line if they don’t fit on one. */
export function bracketed(open: string, parts: readonly Doc[], close: string, edge: Line = softLine): Doc {
  if (parts.length === 0) return open + close;
  return group(open, indent(edge, join(parts, [',', line])), { ...edge, after: ',' }, close);
}

/** The document, in parentheses if they’re needed. */
export const parenthesized = (doc: Doc, isNeeded: boolean): Doc =>
  isNeeded ? group('(', indent(softLine, atLineStart(doc)), softLine, ')') : doc;

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

/**
 * Returns the text. No line is longer than 120 characters, unless a single string of the document is.
 * @param level of indentation, also that of the first line, which has no white space in front
 */
export function print(doc: Doc, level = 0): string {
  const out: string[] = [];
  let column = indentAt(level);
  const rest: Item[] = [{ doc, depth: level, isFlat: false }];
  for (let item = rest.pop(); item; item = rest.pop()) {
    const { doc: part, depth, isFlat } = item;
    if (typeof part === 'string') {
      out.push(part);
      column += part.length;
    } else if ('group' in part || 'whole' in part) {
      const flat: Item = { ...item, isFlat: true };
      rest.push(content(isFlat || fits(flat, rest, WIDTH - column) ? flat : item));
    } else if ('verbatim' in part) {
      out.push(part.verbatim);
    } else if (!('line' in part)) {
      for (const each of contents(item)) rest.push(each);
    } else if (isFlat && part.line !== 'hard') {
      out.push(' '.repeat(widthOf(part)));
      column += widthOf(part);
    } else {
      column = indentAt(depth);
      // An empty line has no spaces.
      if (out.length > 0) out.push(withoutEnd(out.pop() as string, ' '));
      out.push(`${part.after ?? ''}\n${' '.repeat(column)}`);
    }
  }
  return out.join('');
}

const widthOf = ({ line: kind }: Line): number => (kind === 'space' ? 1 : 0);

/** What a group or a choice is. */
function content({ doc, depth, isFlat }: Item): Item {
  if (typeof doc === 'object' && 'group' in doc) return { doc: doc.group, depth, isFlat };
  if (typeof doc !== 'object' || !('whole' in doc)) return { doc, depth, isFlat };
  return { doc: isFlat ? doc.whole : doc.broken(widthAt(depth)), depth, isFlat };
}

/** The parts of a list or an indentation, last to first. */
function* contents({ doc, depth, isFlat }: Item): Generator<Item> {
  if (typeof doc === 'object' && 'indent' in doc) yield { doc: doc.indent, depth: depth + 1, isFlat };
  else
    for (let index = (doc as readonly Doc[]).length - 1; index >= 0; index--)
      yield { doc: (doc as readonly Doc[])[index] as Doc, depth, isFlat };
}

/** Whether an item, and what follows it up to the next line break, fits into the width. */
function fits(item: Item, rest: readonly Item[], width: number): boolean {
  const items = [item];
  let next = rest.length;
  let left = width;
  while (left >= 0) {
    const current = items.pop() ?? rest[--next];
    if (!current) return true;
    const { doc, isFlat } = current;
    if (typeof doc === 'string') left -= doc.length;
    else if ('group' in doc || 'whole' in doc) items.push(content(current));
    else if ('verbatim' in doc) return !isFlat;
    else if (!('line' in doc)) for (const each of contents(current)) items.push(each);
    else if (doc.line === 'hard') return !isFlat;
    else if (!isFlat) return left >= (doc.after?.length ?? 0);
    else left -= widthOf(doc);
  }
  return false;
}
