/** Random numbers of a run’s context: really random, or the same for the same seed. */
import { createChance } from '../../db/seed/random.ts';
import type { Host } from './host.ts';

/** Bytes from 0 to 255. */
type RandomBytes = (count: number) => number[];

/** Node’s random bytes. */
export function installCrypto(host: Host): void {
  defineCrypto((count) => (host.random(count) ?? '').match(/../g)?.map((pair) => parseInt(pair, 16)) ?? []);
}

/** Replaces everything in the context that is random. */
export function seedRandom(seed: number): void {
  const numbers = createChance(seed);
  const bytes = createChance(seed + 1);
  Math.random = () => numbers.next();
  defineCrypto((count) => Array.from({ length: count }, () => bytes.int(0, 255)));
}

function defineCrypto(random: RandomBytes): void {
  const crypto = {
    getRandomValues(array: Uint8Array): Uint8Array {
      array.set(random(array.length));
      return array;
    },
    randomUUID(): string {
      const hex = random(16).flatMap((byte) => byte.toString(16).padStart(2, '0').split(''));
      hex[12] = '4';
      hex[16] = '89ab'[parseInt(hex[16]!, 16) & 3]!;
      return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
  Object.assign(globalThis, { crypto });
}
