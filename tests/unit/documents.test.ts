/** Owns the proof that what the documents promise is tested, each test that SECURITY.md names being there, and that they lead to one another. */
import { glob, readFile, readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): Promise<string> => readFile(resolve(ROOT, path), 'utf8');
const plain = (text: string): string => text.replaceAll(/\\(['"`])/g, '$1');

const promised = (await read('SECURITY.md'))
  .split('\n## ')
  .filter((section) => section.startsWith('Promised'))
  .join('\n');
const threats = promised.split('\n').filter((line) => /^\| (?!threat \|)/.test(line));
const named = [...promised.matchAll(/`(tests\/[\w./-]+)`(?: “([^”]+)”)?/g)].map(([, file, words]) => ({
  file: file!,
  words: words ?? '',
}));

describe('every threat of SECURITY.md', () => {
  it('is told with what stands against it and a test that shows it', () => {
    expect(threats.length).toBeGreaterThan(25);
    for (const threat of threats)
      expect(threat).toMatch(/`tests\/[\w./-]+\.test\.tsx?` “[^”]+”|`tests\/support\/run-tests\.ts`/);
  });

  it.each(named)('$file has “$words”', async ({ file, words }) => {
    expect(plain(await read(file))).toContain(words);
  });
});

describe('the first pages', () => {
  it('lead to every library’s own', async () => {
    const first = (await read('README.md')) + (await read('CONTRIBUTING.md'));
    const pages: string[] = [];
    for await (const page of glob('{lib,tests}/*/README.md', { cwd: ROOT })) pages.push(page);
    expect(pages.length).toBeGreaterThan(3);
    for (const page of pages)
      expect(first).toMatch(new RegExp(`\\]\\(${page.replace('/README.md', '(/README.md)?')}\\)`));
  });

  it('name every folder of tests', async () => {
    const row = (await read('CONTRIBUTING.md')).split('\n').find((line) => line.startsWith('| `tests/`'))!;
    for (const folder of await readdir(resolve(ROOT, 'tests'))) expect(row).toContain(`\`${folder}/\``);
  });

  it('and the platform’s own tell each of its options', async () => {
    const { HELP } = await import('../../lib/local-platform/main.ts');
    const told = await read('lib/local-platform/README.md');
    const options = new Set([...HELP.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option]) => option!));
    expect(options.size).toBeGreaterThan(15);
    for (const option of options) expect(told).toContain(`\`${option}`);
  });
});
