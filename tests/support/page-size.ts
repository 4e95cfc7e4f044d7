/** Owns how much a page of the extension loads as it opens: what its document names, which is its scripts with all that they import, and its styles. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export type Kind = 'js' | 'css';

/** @param page without `.html`; answers files, as from the extension's root */
export async function filesOfPage(extension: string, page: string, kind: Kind): Promise<string[]> {
  const document = await readFile(join(extension, `${page}.html`), 'utf8');
  return [...document.matchAll(/(?:src|href)="\/([^"]+\.(js|css))"/g)]
    .filter(([, , found]) => found === kind)
    .map(([, file = '']) => file);
}

/** Bytes of the files, each compressed by itself. */
export async function gzipped(extension: string, files: readonly string[]): Promise<number> {
  const texts = await Promise.all(files.map((file) => readFile(join(extension, file))));
  return texts.reduce((sum, text) => sum + (text.length === 0 ? 0 : gzipSync(text, { level: 9 }).length), 0);
}
