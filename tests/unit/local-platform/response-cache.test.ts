import { expect, it } from 'vitest';
import { ResponseCache } from '../../../lib/local-platform/http/response-cache.ts';

it('loads a value once, and again after a change', async () => {
  const cache = new ResponseCache();
  let made = 0;
  const make = async () => `value ${(made += 1)}`;
  expect(await cache.get('k', make)).toBe('value 1');
  expect(await cache.get('k', make)).toBe('value 1');
  await cache.change(async () => undefined);
  expect(await cache.get('k', make)).toBe('value 2');
});

it('doesn’t cache a value that was loading during a change', async () => {
  const cache = new ResponseCache();
  const { promise, resolve } = Promise.withResolvers<string>();
  const early = cache.get('k', () => promise);
  await cache.change(async () => undefined);
  resolve('old');
  expect(await early).toBe('old');
  expect(await cache.get('k', async () => 'new')).toBe('new');
});

it('clears the cache when a change fails, and rethrows its error', async () => {
  const cache = new ResponseCache();
  await cache.get('k', async () => 'old');
  await expect(cache.change(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.get('k', async () => 'new')).toBe('new');
});

it('holds a limited number of values', async () => {
  const cache = new ResponseCache();
  for (let i = 0; i < 1000; i += 1) await cache.get(`k${i}`, async () => 'x');
  expect(await cache.get('k0', async () => 'made again')).toBe('made again');
});

it('caches nothing of a database that other processes also change', async () => {
  const cache = new ResponseCache(true);
  let made = 0;
  const make = async (): Promise<number> => (made += 1);
  expect(await cache.get('a', make)).toBe(1);
  expect(await cache.get('a', make)).toBe(2);
});
