/** Owns the proof that what the documents promise is tested: each test that SECURITY.md names is there. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): Promise<string> => readFile(resolve(ROOT, path), 'utf8');
const plain = (text: string): string => text.replaceAll(/\\(['"`])/g, '$1');

const promised = (await read('SECURITY.md')).split('\n## ').filter((section) => section.startsWith('Promised')).join('\n');
const threats = promised.split('\n').filter((line) => /^\| (?!threat \|)/.test(line));
const named = [...promised.matchAll(/`(tests\/[\w./-]+)`(?: “([^”]+)”)?/g)].map(([, file, words]) => ({ file: file!, words: words ?? '' }));

describe('every threat of SECURITY.md', () => {
  it('is told with what stands against it and a test that shows it', () => {
    expect(threats.length).toBeGreaterThan(25);
    for (const threat of threats) expect(threat).toMatch(/`tests\/[\w./-]+\.test\.tsx?` “[^”]+”|`tests\/support\/run-tests\.ts`/);
  });

  it.each(named)('$file has “$words”', async ({ file, words }) => {
    expect(plain(await read(file))).toContain(words);
  });
});
