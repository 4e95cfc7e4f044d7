/** Formats text for a terminal: tables, colors, and values from a platform without control characters. */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { visible } from '../../shared/invisible.ts';

export type Color = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** JSON of the same value. */
export const printableJson = (value: unknown, indent?: number): string => visible(JSON.stringify(value, null, indent));

/** On one line. */
export const oneLine = (text: string): string =>
  visible(text.toWellFormed().replaceAll(/\s+/g, (gap) => (/[\r\n\t]/.test(gap) ? ' ' : gap)));

/** Cuts a text that a terminal shows in more than `columns` columns, between two graphemes, and ends it with `…`. */
export function fitted(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let width = 1;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    width += stringWidth(segment);
    if (width > columns) return `${text.slice(0, index)}…`;
  }
  return text;
}

/** The columns are two spaces apart, as a terminal shows them, and the last one isn’t filled up. */
export function table(rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map((cell) => oneLine(String(cell ?? ''))));
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((most, row) => Math.max(most, stringWidth(row[column] ?? '')), 0),
  );
  const padded = (cell: string, column: number): string => cell + ' '.repeat(widths[column]! - stringWidth(cell));
  return cells.map((row) => `${row.map(padded).join('  ').trimEnd()}\n`).join('');
}

/** See https://no-color.org. */
export function hasColors(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}

export const paint = (color: Color, text: string): string => styleText(color, text, { validateStream: false });
