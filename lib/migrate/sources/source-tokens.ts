/** Reads the tokens of a user’s function package, and breaks those that are too long. */
import { parse, type Comment, type Program, type Token } from 'acorn';

/** Null if the source isn’t valid JavaScript. */
export function tokensOf(source: string): { program: Program; tokens: Token[]; comments: Comment[] } | null {
  const tokens: Token[] = [];
  const comments: Comment[] = [];
  try {
    const options = { ecmaVersion: 'latest', sourceType: 'script', onToken: tokens, onComment: comments } as const;
    return { program: parse(source, options), tokens, comments };
  } catch {
    return null;
  }
}

/** Escapes stay whole. */
const UNIT = /\\(?:x[\da-f]{2}|u\{[\da-f]+\}|u[\da-f]{4}|[0-7]{1,3}|[^])|[\ud800-\udbff][\udc00-\udfff]|[^]/gi;

/** Text that begins in a column, continued on further lines with backslashes. */
export function continued(text: string, column: number, width: number): string {
  const lines = text.split('\n');
  if (lines.every((line, index) => line.length + (index === 0 ? column : 0) < width)) return text;
  let at = column;
  let written = '';
  for (const unit of text.match(UNIT) ?? []) {
    if (at + unit.length >= width) {
      written += '\\\n';
      at = 0;
    }
    written += unit;
    at = unit.endsWith('\n') ? 0 : at + unit.length;
  }
  return written;
}

/** A line of a comment, in several of them if it’s long, that looks neither like a step’s path nor like a template. */
export function commentLines(line: string, width: number): string[] {
  const plain = line
    .replace(/^(?:<!--|-->|#!)/, '//')
    .replace(/^(\s*\/\/)(?= +\/)/, '$1:')
    .replace(/[{<](?=\{|\/script|!--)/gi, '$& ')
    .replace(/\}(?=\})/g, '} ')
    .replaceAll('\ufeff', ' ')
    .toWellFormed();
  const lines = [''];
  for (const word of plain.match(new RegExp(`\\s*\\S{1,${width}}|\\s+$`, 'g')) ?? []) {
    const isFull = (lines.at(-1) as string).length + word.length > width;
    if (isFull && (lines.at(-1) as string).trim() !== '') lines.push(word.trimStart());
    else lines.push((lines.pop() as string) + word);
  }
  return lines;
}
