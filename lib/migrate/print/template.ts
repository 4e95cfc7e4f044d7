/** Prints template literals, as sums of several where one would be too long. */
import { type Doc, group, indent, line, parenthesized, print, softLine } from './doc.ts';
import * as literals from './literals.ts';

/** Characters of a template literal on one line. */
const TEMPLATE_LINE = 80;

type TemplatePart = { text: string } | { value: Doc; length: number };

/**
 * A template literal, as a sum of several if it’s long.
 * @param values one fewer than `strings`
 * @param isOperand whether a sum needs parentheses
 */
export function templateLiteral(strings: readonly string[], values: readonly Doc[], isOperand = false): Doc {
  const parts = strings.flatMap((text, index): TemplatePart[] => {
    const value = values[index];
    const texts = text === '' ? [] : literals.printablePieces(text).map((piece) => ({ text: piece }));
    return value === undefined ? texts : [...texts, valuePart(value)];
  });
  const lengths = parts.map((part) =>
    'text' in part ? literals.escapeTemplate(part.text, false).length : part.length,
  );
  const isLong = lengths.reduce((sum, length) => sum + length, 0) > TEMPLATE_LINE;
  const chunks: Doc[][] = [[]];
  let left = TEMPLATE_LINE;
  parts.forEach((part, index) => {
    const length = lengths[index] as number;
    if (isLong && length > left && chunks.at(-1)?.length) {
      chunks.push([]);
      left = TEMPLATE_LINE;
    }
    left -= length;
    const chunk = chunks.at(-1) as Doc[];
    chunk.push('text' in part ? literals.escapeTemplate(part.text, chunk.length > 0) : part.value);
  });
  const printed = chunks.map((chunk): Doc => ['`', chunk, '`']);
  if (printed.length === 1) return printed[0] as Doc;
  return parenthesized(
    group(printed[0] as Doc, indent(printed.slice(1).map((chunk) => [' +', line, chunk]))),
    isOperand,
  );
}

function valuePart(value: Doc): TemplatePart {
  const printed = print(value);
  // Two braces in a row would be a template of V2.
  const edge = /^\{|\}$/.test(printed) ? line : softLine;
  return { value: group('${', indent(edge, value), edge, '}'), length: printed.length + 3 };
}
