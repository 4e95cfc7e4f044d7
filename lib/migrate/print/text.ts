/** Prints strings and template literals, as sums of several where one would be too long for its line. */
import { type Doc, group, indent, LEAST_WIDTH, line, print, softLine } from './doc.ts';
import { escapeTemplate, escapeText, quoted } from './escapes.ts';

type Part = { text: string } | { value: Doc; length: number };

/** A quoted string. @param isOperand whether a sum needs parentheses */
export const string = (text: string, isOperand = false): Doc => literal([{ text }], isOperand);

/**
 * A template literal.
 * @param values one fewer than `strings`
 * @param isOperand whether a sum needs parentheses
 */
export function templateLiteral(strings: readonly string[], values: readonly Doc[], isOperand = false): Doc {
  const parts = strings.flatMap((text, index): Part[] => {
    const value = values[index];
    const own = text === '' && strings.length > 1 ? [] : [{ text }];
    return value === undefined ? own : [...own, valuePart(value)];
  });
  return literal(parts, isOperand);
}

function valuePart(value: Doc): Part {
  const printed = print(value);
  // Two braces in a row would be a template of V2.
  const edge = /^\{|\}$/.test(printed) ? line : softLine;
  return { value: group('${', indent(edge, value), edge, '}'), length: printed.length + 3 };
}

/** The length of a literal that fits next to any name. */
const SHORT = 16;

function literal(parts: readonly Part[], isOperand: boolean): Doc {
  const whole = oneLiteral(parts);
  const length = lengthOf(parts);
  if (length <= SHORT) return whole;
  // Next to a long name, it might need a line of its own.
  if (length <= LEAST_WIDTH) return { whole, broken: () => whole, aligned: whole };
  const sums = new Map<number, [first: Doc, tail: Doc]>();
  const sum = (width: number): [first: Doc, tail: Doc] => {
    const found = sums.get(width);
    if (found) return found;
    const [first = '', ...others] = piecesOf(parts, width).map(oneLiteral);
    const made: [first: Doc, tail: Doc] = [first, others.map((piece) => [' +', line, piece])];
    sums.set(width, made);
    return made;
  };
  if (isOperand) return { whole, broken: (width) => group('(', indent(softLine, sum(width)), softLine, ')') };
  const indented = (width: number): Doc => {
    const [first, tail] = sum(width);
    return group(first, indent(tail));
  };
  return { whole, broken: indented, aligned: { whole, broken: (width) => group(sum(width)) } };
}

function oneLiteral(parts: readonly Part[]): Doc {
  const [first] = parts;
  if (parts.length === 1 && first && 'text' in first) return quoted(first.text);
  return ['`', parts.map((part, index) => ('text' in part ? escapeTemplate(part.text, index > 0) : part.value)), '`'];
}

/** An upper limit: a brace is escaped if the part beside it has another one at that place. */
const lengthOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => sum + ('text' in part ? escapeText(`}${part.text}{`, "'").length - 2 : part.length), 0);

/** Where a long literal can be broken, best first. */
const BREAKS = ['\n', '\\s'];

/** Pieces that are short enough, or are a single value. A value stays next to the word that it belongs to. */
function piecesOf(parts: readonly Part[], width: number): Part[][] {
  const pieces: Part[][] = [[]];
  let left = width;
  const add = (added: readonly Part[], level: number): void => {
    const length = lengthOf(added);
    const isSmallest = level > BREAKS.length;
    if (length > left && pieces.at(-1)?.length && (length <= width || isSmallest)) {
      pieces.push([]);
      left = width;
    }
    if (length <= left || isSmallest) {
      for (const part of added) append(pieces.at(-1) as Part[], part);
      left -= length;
    } else for (const each of splitAt(added, BREAKS[level])) add(each, level + 1);
  };
  add(parts, 0);
  return pieces;
}

function append(piece: Part[], part: Part): void {
  const last = piece.at(-1);
  if (last && 'text' in last && 'text' in part) piece[piece.length - 1] = { text: last.text + part.text };
  else piece.push(part);
}

/** @param end pattern after which texts end. Without it, everything is separated, and long texts are cut anywhere. */
function splitAt(parts: readonly Part[], end: string | undefined): Part[][] {
  const ends = new RegExp(`${end ?? ''}$`);
  const found: Part[][] = [];
  let isOpen = false;
  for (const part of parts) {
    const texts = 'text' in part ? textsOf(part.text, end).map((text) => ({ text })) : [part];
    for (const [index, each] of texts.entries()) {
      if (end && isOpen && index === 0) found.at(-1)?.push(each);
      else found.push([each]);
    }
    const last = texts.at(-1);
    isOpen = !(last && 'text' in last && ends.test(last.text));
  }
  return found;
}

/** Characters of text without spaces that stay together. Each can need six after it’s escaped. */
const CUT = LEAST_WIDTH / 6;

function textsOf(text: string, end: string | undefined): string[] {
  if (end) return text.split(new RegExp(`(?<=${end})`));
  const characters = [...text];
  const texts: string[] = [];
  for (let start = 0; start < characters.length; start += CUT)
    texts.push(characters.slice(start, start + CUT).join(''));
  return texts;
}
