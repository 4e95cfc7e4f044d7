/** Names the files of screenshots for manual review. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../../test-results/pictures');

/** Path of a screenshot; creates its folder. */
export function picturePath(name: string): `${string}.png` {
  mkdirSync(FOLDER, { recursive: true });
  return `${FOLDER}/${name}.png`;
}
