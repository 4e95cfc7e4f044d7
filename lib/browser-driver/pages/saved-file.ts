/** Catches files that a page of the extension saves. */
import type { Frame } from 'puppeteer-core';
import { waitFor } from '../wait-for.ts';

export interface SavedFile {
  name: string;
  text: string;
}

/** @param save presses what saves the file */
export async function savedFile(frame: Frame, save: () => Promise<void>): Promise<SavedFile> {
  const [file] = await savedFiles(frame, 1, save);
  return file!;
}

/** @param save presses what saves that many files */
export async function savedFiles(frame: Frame, count: number, save: () => Promise<void>): Promise<SavedFile[]> {
  await frame.evaluate((count) => {
    const create = URL.createObjectURL.bind(URL);
    const click = HTMLAnchorElement.prototype.click;
    const blobs: Blob[] = [];
    const files: SavedFile[] = [];
    Object.assign(globalThis, { savedFiles: files });
    URL.createObjectURL = (blob: Blob) => {
      blobs.push(blob);
      if (blobs.length === count) URL.createObjectURL = create;
      return create(blob);
    };
    HTMLAnchorElement.prototype.click = function (): void {
      if (blobs.length === count) HTMLAnchorElement.prototype.click = click;
      const name = this.download;
      const blob = blobs.at(-1)!;
      const index = blobs.length - 1;
      // `text()` would drop the byte order mark.
      void blob.arrayBuffer().then((bytes) => {
        files[index] = { name, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
      });
    };
  }, count);
  await save();
  return waitFor('the files', async () => {
    const files = await frame.evaluate(
      () => (globalThis as unknown as { savedFiles: (SavedFile | undefined)[] }).savedFiles,
    );
    return files.filter(Boolean).length === count && (files as SavedFile[]);
  });
}
