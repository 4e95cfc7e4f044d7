/** Owns where pictures of the surfaces are kept, for a person to look at. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../../test-results/pictures');

/** Path of the picture `name`, its folder made. */
export function picturePath(name: string): `${string}.png` {
  mkdirSync(FOLDER, { recursive: true });
  return `${FOLDER}/${name}.png`;
}
