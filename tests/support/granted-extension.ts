/** Copies the extension with an optional permission granted, because no driver can accept the browser’s prompt. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExtensionBrowser } from '../../lib/browser-driver/chromium.ts';

interface Manifest {
  permissions: string[];
  optional_permissions: string[];
}

export interface AllowedBefore {
  /** Folder of the copy, to start a browser with. */
  folder: string;
  /** Loads it once more, as it was built: what was allowed stays so. */
  load(extension: ExtensionBrowser): Promise<void>;
  remove(): Promise<void>;
}

/** @param built folder of the extension for Chromium */
export async function allowedBefore(built: string, permission: string): Promise<AllowedBefore> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-devtools-allowed-'));
  await cp(built, folder, { recursive: true });
  const file = join(folder, 'manifest.json');
  const original = await readFile(file, 'utf8');
  const manifest = JSON.parse(original) as Manifest;
  // What an extension must have is allowed as it is loaded.
  await writeFile(
    file,
    JSON.stringify({
      ...manifest,
      permissions: [...manifest.permissions, permission],
      optional_permissions: manifest.optional_permissions.filter((one) => one !== permission),
    }),
  );
  return {
    folder,
    async load({ browser }) {
      await writeFile(file, original);
      await browser.installExtension(folder);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
