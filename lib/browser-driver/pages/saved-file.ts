/** Catches a file that a page of the extension saves. */
import type { Frame } from 'puppeteer-core';
import { waitFor } from '../wait-for.ts';

export interface SavedFile {
  name: string;
  text: string;
}

/** @param save presses what saves the file */
export async function savedFile(frame: Frame, save: () => Promise<void>): Promise<SavedFile> {
  await frame.evaluate(() => {
    const create = URL.createObjectURL.bind(URL);
    const kept = globalThis as unknown as { file?: { name: string; text: string } };
    delete kept.file;
    URL.createObjectURL = (blob: Blob) => {
      URL.createObjectURL = create;
      const click = HTMLAnchorElement.prototype.click;
      HTMLAnchorElement.prototype.click = function (): void {
        HTMLAnchorElement.prototype.click = click;
        // `text()` would drop the byte order mark.
        void blob.arrayBuffer().then(
          (bytes) =>
            (kept.file = {
              name: this.download,
              text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
            }),
        );
      };
      return create(blob);
    };
  });
  await save();
  return waitFor('the file', () =>
    frame.evaluate(() => (globalThis as unknown as { file?: { name: string; text: string } }).file),
  );
}
