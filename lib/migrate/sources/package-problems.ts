/** Checks whether the source of a user’s function package can run in V3’s code. */
import type { Token } from 'acorn';
import { freeNames } from './free-names.ts';
import { LANGUAGE, VALUES } from './known-names.ts';
import { tokensOf } from './source-tokens.ts';
import type { Level } from '../types.ts';

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
/** What V3 has on a server and in a page. */
const GLOBALS: ReadonlySet<string> = new Set([
  ...LANGUAGE,
  ...VALUES,
  ...'Platform console fetch setTimeout clearTimeout setInterval clearInterval'.split(' '),
]);
const IN_V3: ReadonlySet<string> = new Set(['Functions', 'DataSources', 'Communicate', 'Notifications']);
/** What is written differently in V3’s code. */
const REWRITTEN = /\{\{|\}\}|[\u2028\u2029\ufeff]|\p{Cs}|<\/script|<!--/iu;

/** Why a package can’t run in V3, or null. */
export function problemIn(source: string): PackageProblem | null {
  const found = tokensOf(source);
  if (!found) return { level: 'blocked', reason: 'The source of the package isn’t valid JavaScript.' };
  const { program, tokens } = found;
  if (REWRITTEN.test(source) && tokens.some((_, index) => isTagged(source, tokens.slice(index, index + 3))))
    return { level: 'needs-person', reason: 'The package has a tagged template, and text that V3 needs with escapes.' };
  const textOf = (index: number): string => source.slice(tokens[index]?.start ?? 0, tokens[index]?.end ?? 0);
  for (const [index, token] of tokens.entries()) {
    const isMember = index > 0 && ['.', '?.'].includes(textOf(index - 1));
    const problem = token.type.label === 'name' && !isMember ? problemOfName(textOf(index), textOf(index + 2)) : null;
    if (problem) return problem;
  }
  const unknown = freeNames(program).filter((name) => !GLOBALS.has(name));
  const ofPage = unknown.find((name) => OF_A_PAGE.has(name));
  if (ofPage !== undefined) return { level: 'blocked', reason: `The package uses ${ofPage}, which only pages have.` };
  if (unknown.length === 0) return null;
  return { level: 'needs-person', reason: `The package uses ${unknown[0]}, which V3 doesn’t have.` };
}

/** @param member what follows after a dot */
function problemOfName(name: string, member: string): PackageProblem | null {
  if (EVALUATES.has(name)) return { level: 'blocked', reason: `The package uses ${name}, which V3 doesn’t allow.` };
  if (name !== 'Platform' || IN_V3.has(member)) return null;
  return { level: 'needs-person', reason: `The package uses Platform.${member}, which V3 doesn’t have.` };
}

/** Whether a template has a function in front of it, which sees the text as written, so that escapes would matter. */
function isTagged(source: string, [tag, quote, text]: readonly Token[]): boolean {
  const name = source.slice(tag?.start, tag?.end);
  const isTag = tag?.type.label === 'name' ? !/^(?:await|yield|of)$/.test(name) : /^[)\]`]$/.test(name);
  return isTag && quote?.type.label === '`' && text?.type.label === 'template';
}
