/** Writes and reads the comments with the paths of steps, which link the code to the V2 pipeline. */
import { type Doc, hardLine, join } from './print/doc.ts';

/** Longer paths continue on further lines. */
const PATH_LINE = 80;

/** The comment above the code of a step. */
export function pathComment(path: string): Doc {
  const lines: string[] = [''];
  for (const part of path.split('/').slice(1)) {
    if ((lines.at(-1) as string).length + part.length > PATH_LINE) lines.push('');
    lines.push(`${lines.pop() as string}/${part}`);
  }
  return join(
    lines.map((text, index) => (index === 0 ? `// ${text}` : `//   ${text}`)),
    hardLine,
  );
}

/** What a path consists of, in any part of it. Other comments can look similar, such as `// /api`. */
const PART = /^\s*\/\/( +)((?:\/(?:functions|elseFunctions|conditions|\d+))+)\s*$/;

/** The paths in the code, with the 1-based lines of their comments. The code can have been edited. */
export function pathsIn(code: string): { path: string; line: number }[] {
  const found: { path: string; line: number }[] = [];
  let isOpen = false;
  code.split('\n').forEach((text, index) => {
    const [, gap = '', part] = PART.exec(text) ?? [];
    const last = found.at(-1);
    if (part !== undefined && gap.length > 1 && isOpen && last) last.path += part;
    else if (part !== undefined && /^\/\d/.test(part)) found.push({ path: part, line: index + 1 });
    isOpen = part !== undefined;
  });
  return found;
}
