import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { manifestFor } from '../../support/manifest.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');
const ANSWERS = read('assets/store/privacy.md');

/** The rows of the table that has this head, by cell. */
const table = (markdown: string, head: string): string[][] =>
  markdown
    .split(`\n| ${head} |`)[1]!
    .split('\n\n')[0]!
    .split('\n')
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));
const handled = () => table(ANSWERS, 'data in PRIVACY.md');
/** The first words of a cell. */
const subject = (cell = ''): string => cell.split(/[:;,]/)[0]!;

const CATEGORIES = [
  'Personally identifiable information',
  'Health information',
  'Financial and payment information',
  'Authentication information',
  'Personal communications',
  'Location',
  'Web history',
  'User activity',
  'Website content',
];

test('the answers name the same data as PRIVACY.md', () => {
  const policy = table(read('PRIVACY.md'), 'what').map(([what]) => subject(what));
  expect(policy.length).toBeGreaterThan(10);
  expect(handled().map(([what]) => what)).toEqual(policy);
});

test('each of Chrome’s categories has an answer, which is yes if some data is of it', () => {
  const answers = table(ANSWERS, 'category').map(([category, answer]) => [category, answer]);
  const used = new Set(handled().flatMap(([, categories = '']) => categories.split(', ')));
  expect(answers).toEqual(CATEGORIES.map((category) => [category, used.has(category) ? 'yes' : 'no']));
});

test('Firefox’s manifest declares what the answers say', async () => {
  const { browser_specific_settings: settings } = await manifestFor('firefox');
  const declared = settings?.gecko?.data_collection_permissions;
  const [, written = ''] = ANSWERS.match(/with required: (.+)\.$/m) ?? [];
  expect(declared).toEqual({ required: [...written.matchAll(/`(\w+)`/g)].map(([, name]) => name) });
  // The only data of Mozilla’s categories that leaves the browser is the token.
  const leaving = handled().filter(([, category, leaves = '']) => category !== 'none' && !leaves.startsWith('no'));
  expect(leaving.map(([what]) => what)).toEqual(['Tokens']);
});
