/** Measures the scripts and styles that a page of the extension loads at startup. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export type Kind = 'js' | 'css';

/** Files that the document names, relative to the extension’s folder; `page` has no `.html`. */
export async function filesOfPage(extension: string, page: string, kind: Kind): Promise<string[]> {
  const document = await readFile(join(extension, `${page}.html`), 'utf8');
  return [...document.matchAll(/(?:src|href)="\/([^"]+\.(js|css))"/g)]
    .filter(([, , found]) => found === kind)
    .map(([, file = '']) => file);
}

/** Total size of the files, each compressed separately. */
export async function gzipped(extension: string, files: readonly string[]): Promise<number> {
  const texts = await Promise.all(files.map((file) => readFile(join(extension, file))));
  return texts.reduce((sum, text) => sum + (text.length === 0 ? 0 : gzipSync(text, { level: 9 }).length), 0);
}
