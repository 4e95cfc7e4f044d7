/** Compares the matcher for patterns without a bounded time with JavaScript’s. */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuel } from '../../../lib/pipeline/condition/limits.ts';
import { bounded, BoundedRegExp } from '../../../lib/pipeline/condition/patterns/bounded.ts';
import { isPair } from '../../../lib/pipeline/condition/patterns/match.ts';

/** tests/exhaustive/unit/properties.test.ts does more. */
const RUNS = Number(process.env.RUNS ?? 700);

const CHARACTERS = [
  'a',
  'b',
  'A',
  'c',
  '_',
  '-',
  '0',
  ' ',
  '\n',
  'ſ',
  'K',
  'ß',
  '😀',
  '\ud83d',
  '\ude00',
  '\u2028',
  '𐐨',
  '𐐀',
  'K',
];
const ATOMS = [
  String.raw`a b c ab . K 😀 𐐀 \ud83d \ude00 \ud83d\ude00 \u{1f600} \u{61} { } ] a{ a{1 {,2} ^ $ \b \B`,
  String.raw`\w \W \d \D \s \S \n \0 \x61 \x6 \u006 \cA \c \- \/ \k \p{Lu} \P{L} \p{Script=Greek} \p`,
  String.raw`\1 \2 \3 \12 \101 \8 \08 \k<x> \k<y> [ab] [^a] [] [^] [a-c_] [\w-] [\]a] [(a+)+] [\b] [\c] [\1] [😀a] [^😀] [K]`,
  String.raw`[[a-z]--[b]] [\w&&[^b]] [\p{L}--\p{Lu}] [^\P{Lu}]`,
].flatMap((atoms) => atoms.split(' '));
const QUANTIFIERS = ['*', '+', '?', '{0}', '{1}', '{2}', '{0,1}', '{0,2}', '{1,2}', '{2,}', '{1,}', '{0,}'];
const OPENINGS = ['(', '(', '(?:', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<x>', '(?<y>', '(?s-m:', '(?m-s:'];

const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.constantFrom(...ATOMS),
    fc
      .tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...QUANTIFIERS), fc.constantFrom('', '?'))
      .map((all) => all.join('')),
    fc
      .tuple(
        fc.constantFrom(...OPENINGS),
        tie('pattern'),
        fc.constantFrom('', '', ...QUANTIFIERS),
        fc.constantFrom('', '', '?'),
      )
      .map(([open, body, quantifier, lazy]) => `${open}${body})${quantifier}${quantifier && lazy}`),
  ),
  pattern: fc
    .array(
      fc.array(tie('term'), { maxLength: 3 }).map((terms) => terms.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((alternatives) => alternatives.join('|')),
}));
const flags = fc
  .tuple(fc.constantFrom('', '', 'u', 'v'), fc.subarray([...'dgimsy']))
  .map(([unicode, others]) => others.join('') + unicode);
const text = fc.oneof(
  fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 9 }).map((all) => all.join('')),
  fc.array(fc.constantFrom('a', 'b'), { maxLength: 9 }).map((all) => all.join('')),
);

/** Of a realm whose built-ins no other test changes: with changed ones, V8’s `replace` never ends with the flags g and v. */
const Native = runInNewContext('RegExp') as RegExpConstructor;

const METHODS: readonly [string, (regexp: RegExp, text: string) => unknown][] = [
  ['exec', (regexp, given) => regexp.exec(given)],
  ['test', (regexp, given) => regexp.test(given)],
  ['match', (regexp, given) => given.match(regexp)],
  ['matchAll', (regexp, given) => (regexp.global ? [...given.matchAll(regexp)] : null)],
  ['search', (regexp, given) => given.search(regexp)],
  ['replace', (regexp, given) => given.replace(regexp, '[$1$<x>$&]')],
  ['replaceAll', (regexp, given) => (regexp.global ? given.replaceAll(regexp, (...all) => JSON.stringify(all)) : null)],
  ['split', (regexp, given) => given.split(regexp)],
  ['split at most twice', (regexp, given) => given.split(regexp, 2)],
];

/** All that can be seen of a match. */
function seen(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const { index, input, groups, indices } = value as unknown as RegExpExecArray;
  return { items: value.map(seen), keys: Object.keys(value), index, input, groups, indices, named: indices?.groups };
}

/** V8 also matches within a pair of surrogates. It applies `(?i:)` to other parts of a pattern too, so that isn’t compared. */
function isWrong({ source, flags: given, unicode, unicodeSets }: RegExp, on: string, lastIndex: number): boolean {
  if (!unicode && !unicodeSets) return false;
  const first = new Native(source, given.replace(/[gy]/g, '')).exec(on);
  const next = new Native(source, given);
  next.lastIndex = lastIndex;
  const isWithin = (match: RegExpExecArray | null): boolean =>
    match !== null && match.index > 0 && isPair(on, match.index - 1);
  const pieces = on.split(new Native(source, given));
  return isWithin(first) || isWithin(next.exec(on)) || pieces.some((piece) => /[\ud800-\udbff]$/.test(piece ?? ''));
}

/** V8 takes a name again inside of its own group, which is an error in JavaScript, and then replaces with both. */
function hasNameWithinItself(source: string): boolean {
  const open: (string | undefined)[] = [];
  for (const [token, name] of source.matchAll(/\\.|\[(?:\\.|[^\]])*\]|\((?:\?<(\w+)>)?|\)/gs)) {
    if (token === ')') open.pop();
    else if (token.startsWith('(')) {
      if (name !== undefined && open.includes(name)) return true;
      open.push(name);
    }
  }
  return false;
}

test('a pattern matches as in JavaScript', () => {
  let matched = 0;
  let failed = 0;
  fc.assert(
    fc.property(pattern, flags, text, fc.nat(10), (source, given, on, lastIndex) => {
      let native: RegExp;
      try {
        native = new Native(source, given);
      } catch {
        fc.pre(false);
        return;
      }
      // JavaScript’s own matcher takes a time that grows by a factor with each of these.
      fc.pre((source.match(/\)[*+?{]/g) ?? []).length <= 2);
      fc.pre(!isWrong(native, on, lastIndex) && !hasNameWithinItself(source));
      if (native.test(on)) matched++;
      else failed++;
      for (const [name, method] of METHODS) {
        refuel();
        const [expected, actual] = [new Native(source, given), new BoundedRegExp(new RegExp(source, given))];
        expected.lastIndex = actual.lastIndex = lastIndex;
        const wanted = seen(method(expected, on));
        expect(seen(method(actual, on)), `${name} of ${native} on ${JSON.stringify(on)} from ${lastIndex}`).toEqual(
          wanted,
        );
        expect(actual.lastIndex).toBe(expected.lastIndex);
      }
    }),
    { numRuns: RUNS },
  );
  // Both outcomes occurred.
  expect(matched).toBeGreaterThan(RUNS * 0.1);
  expect(failed).toBeGreaterThan(RUNS * 0.1);
});

test('a pattern with the flags g and v isn’t matched by V8, also where its time is bounded', () => {
  const pattern = bounded(/(?:)/gv, '😀');
  expect(pattern).toBeInstanceOf(BoundedRegExp);
  expect('😀'.replace(pattern, '-')).toBe('-😀-');
  expect(bounded(/(?:)/gu, '😀')).not.toBeInstanceOf(BoundedRegExp);
});
