/** Checks the source of a user’s function package, and prepares it for V3’s code. */
import { parse, type Comment, type Token } from 'acorn';
import type { Level } from './types.ts';

export interface PackageProblem {
  level: Level;
  reason: string;
}

const EVALUATES: ReadonlySet<string> = new Set(['eval', 'Function', 'require']);
const OF_A_PAGE: ReadonlySet<string> = new Set(
  'document window navigator location localStorage sessionStorage alert confirm XMLHttpRequest DOMParser Image'.split(
    ' ',
  ),
);
const IN_V3: ReadonlySet<string> = new Set(['Functions', 'DataSources', 'Communicate', 'Notifications']);
const WIDTH = 120;
const BRACES = /\{\{|\}\}/;
/** Its function sees the text as written, so that an escape would be seen, too. */
const TAGGED = /[\w$)\]]`/;

function tokensOf(source: string): { tokens: Token[]; comments: Comment[] } | null {
  const tokens: Token[] = [];
  const comments: Comment[] = [];
  try {
    parse(source, { ecmaVersion: 'latest', sourceType: 'script', onToken: tokens, onComment: comments });
    return { tokens, comments };
  } catch {
    return null;
  }
}

/** Why a package can’t run in V3, or null. */
export function problemIn(source: string): PackageProblem | null {
  const found = tokensOf(source);
  if (!found) return { level: 'blocked', reason: 'The source of the package isn’t valid JavaScript.' };
  if (BRACES.test(source) && TAGGED.test(source))
    return { level: 'needs-person', reason: 'The package has a tagged template and two braces in a row.' };
  const { tokens } = found;
  const textOf = (index: number): string => source.slice(tokens[index]?.start ?? 0, tokens[index]?.end ?? 0);
  for (const [index, token] of tokens.entries()) {
    const isMember = index > 0 && ['.', '?.'].includes(textOf(index - 1));
    const problem = token.type.label === 'name' && !isMember ? problemOfName(textOf(index), textOf(index + 2)) : null;
    if (problem) return problem;
  }
  return null;
}

/** @param member what follows after a dot */
function problemOfName(name: string, member: string): PackageProblem | null {
  if (EVALUATES.has(name)) return { level: 'blocked', reason: `The package uses ${name}, which V3 doesn’t allow.` };
  if (OF_A_PAGE.has(name)) return { level: 'blocked', reason: `The package uses ${name}, which only pages have.` };
  if (name !== 'Platform' || IN_V3.has(member)) return null;
  return { level: 'needs-person', reason: `The package uses Platform.${member}, which V3 doesn’t have.` };
}

/** The source with the same meaning, without two braces in a row, and with shorter lines where it can be broken. */
export function inlineSource(source: string): string {
  const text = source.trimEnd();
  const isLong = text.split('\n').some(({ length }) => length > WIDTH);
  const found = isLong || BRACES.test(text) ? tokensOf(text) : null;
  if (!found) return text;
  const parts = [...found.tokens, ...found.comments].sort((a, b) => a.start - b.start);
  let printed = '';
  let end = 0;
  for (const part of parts) {
    // The closing brace of a value in a template is also a part of the text’s token.
    if (part.start < end || part.end === part.start) continue;
    printed = append(printed, text.slice(end, part.start));
    const isText = typeof part.type !== 'string' && part.type.label === 'template';
    const written = withoutBraces(part, text.slice(part.start, part.end));
    if (isText) printed += printed.endsWith('}') && written.startsWith('}') ? `\\x7d${written.slice(1)}` : written;
    else printed = append(broken(printed, part, written), written);
    end = part.end;
  }
  return append(printed, text.slice(end));
}

/** After these tokens, a line can end anywhere. */
const BEFORE_BREAK = /(?:[,;([{]|&&|\|\||[?:]|=>|[^+]\+) ?$/;

/** What is before a token, on a line of its own if the token would make the line too long. */
function broken(printed: string, part: Token | Comment, written: string): string {
  const column = printed.length - printed.lastIndexOf('\n') - 1;
  const length = written.includes('\n') ? written.indexOf('\n') : written.length;
  const isToken = typeof part.type !== 'string';
  return isToken && column + length > WIDTH - 20 && BEFORE_BREAK.test(printed) ? `${printed.trimEnd()}\n  ` : printed;
}

/** Separates braces of two tokens by a space. */
function append(printed: string, text: string): string {
  const isAdjacent = ['{', '}'].some((brace) => printed.endsWith(brace) && text.startsWith(brace));
  return printed + (isAdjacent ? ' ' : '') + text;
}

function withoutBraces(part: Token | Comment, text: string): string {
  if (typeof part.type === 'string') return text.replace(/\{(?=\{)/g, '{ ').replace(/\}(?=\})/g, '} ');
  return text.replace(/\{(?=\{)/g, '\\x7b').replace(/(?<=\})\}/g, '\\x7d');
}
