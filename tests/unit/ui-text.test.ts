/** Checks the product's wording: UI, errors, and messages of the API and the command line. */
import { describe, expect, test } from 'vitest';
import { collectUiTexts, extractTexts, type UiText } from '../support/ui-text.ts';

const TEXTS = collectUiTexts(['components/**', 'entrypoints/**', 'lib/**']);

/** Locations whose text breaks a rule on purpose, each with its reason. */
const ALLOWED: Record<string, string> = {};

const WORDS_TO_AVOID = new RegExp(
  [
    'tells?|told|anew|mend(s|ed|ing)?|meanwhile|nobody|somebody|whoever',
    'by (itself|themselves)|kept aside|can be had|(look|see) whether|go(es|ing)? on|under way',
    'let (it|them) go|taken up|stands?|alone|such a|one would',
    'installation|compile page|(read|look) again|stop waiting',
    '(?<!there )is no (?!longer|more)',
    '(?<!IP |email )addresse?s?',
  ]
    .map((part) => `\\b(${part})\\b`)
    .join('|'),
  'i',
);

function breaking(breaks: (text: string) => boolean): string[] {
  return TEXTS.filter(({ location, text }) => breaks(text) && !(location in ALLOWED)).map(show);
}
const show = ({ location, text }: UiText): string => `${location} ${text}`;

/** Without code examples, which have their own quotes and punctuation. */
const withoutCode = (text: string): string => text.replaceAll(/`[^`]*`/g, '').replaceAll(/\{[“"][^}]*\}/g, '');

const sentences = (text: string): string[] => text.split(/(?<=[.!?…])\s+|\n|: /);
const wordCount = (sentence: string): number => sentence.split(/\s+/).filter((word) => /[\w{]/.test(word)).length;

describe('the texts that people read', () => {
  test('are found in every surface', () => {
    const files = new Set(TEXTS.map(({ location }) => location.split('/').slice(0, 2).join('/')));
    for (const folder of ['components/panel', 'components/popup', 'components/options', 'components/ui'])
      expect(files).toContain(folder);
    expect(TEXTS.length).toBeGreaterThan(1_000);
  });
  test('use no words that voice rules avoid', () => expect(breaking((text) => WORDS_TO_AVOID.test(text))).toEqual([]));
  test('have curly quotes and apostrophes', () =>
    expect(breaking((text) => /"|\w'\w|(^|\s)'|'(\s|$)/.test(withoutCode(text)))).toEqual([]));
  test('have no ";"', () => expect(breaking((text) => /;(\s|$)/.test(withoutCode(text)))).toEqual([]));
  test('have at most 20 words in a sentence', () =>
    expect(breaking((text) => sentences(text).some((sentence) => wordCount(sentence) > 20))).toEqual([]));
  test('name their subject instead of opening with "It" or "They"', () =>
    expect(breaking((text) => sentences(text).some((sentence) => /^(It|They) /.test(sentence)))).toEqual([]));
  test('have "…" without a space before it', () => expect(breaking((text) => / …|\.\.\./.test(text))).toEqual([]));
});

describe('the extraction', () => {
  const texts = (source: string): string[] => extractTexts('file.tsx', source).map(({ text }) => text);
  test('joins the text of inline elements', () =>
    expect(texts('<p>Press <b>Run</b> to go, {name}.</p>')).toContain('Press Run to go, {}.'));
  test('reads labels', () => expect(texts('<Button title="Reload the page" />')).toContain('Reload the page'));
  test('ignores classes', () => expect(texts('<p class="Big red box" />')).toEqual([]));
  test('shows inserted values as {}', () =>
    expect(texts('const a = `Couldn’t open ${name}: it is closed.`;')).toEqual(['Couldn’t open {}: it is closed.']));
});
