import { expect, it } from 'vitest';
import { createAnswers } from '../../../lib/local-platform/http/answers.ts';

it('makes an answer once, and again after a change', async () => {
  const answers = createAnswers();
  let made = 0;
  const make = async () => `answer ${(made += 1)}`;
  expect([await answers.get('k', make), await answers.get('k', make)]).toEqual(['answer 1', 'answer 1']);
  await answers.change(async () => undefined);
  expect(await answers.get('k', make)).toBe('answer 2');
});

it('does not keep what was made while a change went on', async () => {
  const answers = createAnswers();
  const { promise, resolve } = Promise.withResolvers<string>();
  const early = answers.get('k', () => promise);
  await answers.change(async () => undefined);
  resolve('old');
  expect(await early).toBe('old');
  expect(await answers.get('k', async () => 'new')).toBe('new');
});

it('forgets also when a change fails, and tells of the failure', async () => {
  const answers = createAnswers();
  await answers.get('k', async () => 'old');
  await expect(answers.change(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await answers.get('k', async () => 'new')).toBe('new');
});

it('keeps a bounded number', async () => {
  const answers = createAnswers();
  for (let i = 0; i < 1000; i += 1) await answers.get(`k${i}`, async () => 'x');
  expect(await answers.get('k0', async () => 'made again')).toBe('made again');
});

it('keeps nothing of a database that other processes change too', async () => {
  const answers = createAnswers(true);
  let made = 0;
  const make = async (): Promise<number> => (made += 1);
  expect([await answers.get('a', make), await answers.get('a', make)]).toEqual([1, 2]);
});
