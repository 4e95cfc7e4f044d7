import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifestFor } from '../../support/manifest.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const LISTING = readFileSync(resolve(ROOT, 'assets/store/listing.md'), 'utf8');

/** The text under a heading. */
function section(title: string): string {
  const [, text] = LISTING.split(`\n## ${title}\n`);
  if (text === undefined) throw new Error(`The listing has no section “${title}”.`);
  return text.split('\n## ')[0]!.trim();
}
/** The cells of the table under a heading. */
const rows = (title: string): string[][] =>
  section(title)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | '));

describe('the listing', () => {
  test.each(['chrome', 'firefox'] as const)(
    'has the name and short description of the manifest for %s',
    async (browser) => {
      const { name, description } = await manifestFor(browser);
      expect([section('Name'), section('Short description')]).toEqual([name, description]);
    },
  );

  // Of Chrome, Edge, and Firefox: the strictest counts.
  test.each([
    { field: 'Name', least: 1, most: 45 },
    { field: 'Short description', least: 1, most: 132 },
    { field: 'Long description', least: 250, most: 10_000 },
    { field: 'Single purpose', least: 1, most: 1_000 },
    { field: 'Notes for reviewers', least: 1, most: 2_000 },
  ])('$field has $least to $most characters', ({ field, least, most }) => {
    expect(section(field).length).toBeGreaterThanOrEqual(least);
    expect(section(field).length).toBeLessThanOrEqual(most);
  });

  test('has at most 7 search terms of 30 characters', () => {
    const terms = section('Search terms').split(', ');
    expect(terms.length).toBeLessThanOrEqual(7);
    expect(terms.filter((term) => term.length > 30)).toEqual([]);
  });

  test('justifies exactly the permissions of the manifests', async () => {
    const wanted = new Set<string>();
    for (const browser of ['chrome', 'firefox'] as const) {
      const {
        permissions = [],
        optional_permissions = [],
        optional_host_permissions = [],
      } = await manifestFor(browser);
      for (const name of permissions) wanted.add(name);
      for (const name of [...optional_permissions, ...optional_host_permissions]) wanted.add(`${name} (optional)`);
    }
    expect(
      rows('Permission justifications')
        .map(([name]) => name)
        .sort(),
    ).toEqual([...wanted].sort());
  });

  test('justifies each permission in at most 1,000 characters, and says which browsers don’t have it', async () => {
    const { permissions = [] } = await manifestFor('firefox');
    for (const [name, why] of rows('Permission justifications')) {
      expect(why?.length, name).toBeLessThanOrEqual(1_000);
      const isChromeOnly = !permissions.includes(name as never) && !name?.includes('optional');
      expect(why?.startsWith('Chrome and Edge only.'), name).toBe(isChromeOnly);
    }
  });

  test('has every picture, at its size', () => {
    const pictures = rows('Pictures').filter(([file]) => file?.endsWith('.png'));
    const kept = readdirSync(resolve(ROOT, 'assets/store/pictures')).map((name) => `assets/store/pictures/${name}`);
    expect(pictures.map(([file]) => file).filter((file) => file?.startsWith('assets/store/'))).toEqual(kept.sort());
    for (const [file = '', size] of pictures) {
      const png = readFileSync(resolve(ROOT, file));
      expect(`${png.readUInt32BE(16)} × ${png.readUInt32BE(20)}`, file).toBe(size);
    }
  });
});
