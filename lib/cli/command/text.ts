/** Formats text for a terminal: tables, colors, and values from a platform without control characters. */
import { styleText } from 'node:util';

export type Color = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** A terminal would obey control characters, and a reader would miss characters that change the direction of text. */
// oxlint-disable-next-line no-control-regex -- these are what must be escaped
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Shows control characters as escapes. Tabs and line breaks stay. */
export const printable = (text: string): string =>
  text.replace(UNSAFE, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`);

/** On one line. */
export const oneLine = (text: string): string => printable(text.replaceAll(/\s*[\r\n\t]+\s*/g, ' '));

/** The columns are two spaces apart, and the last one isn’t filled up. */
export function table(rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map((cell) => oneLine(String(cell ?? ''))));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** See https://no-color.org. */
export function hasColors(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}

export const paint = (color: Color, text: string): string => styleText(color, text, { validateStream: false });
