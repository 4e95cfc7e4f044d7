/** What a data source keeps of the entries that are sent to it: all of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { start, type TestPlatform } from './support/platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await start();
});
afterAll(() => platform.close());

const ENTRIES = '/v1/data-sources/503/entries';

it.each(['constructor', 'prototype', '__proto__', 'toString'])('keeps a field named %s', async (name) => {
  const sent = `{"${name}":{"x":1}}`;
  const { status, text } = await platform.ask(ENTRIES, { body: `{"entries":[${sent}]}` });
  expect(status).toBe(201);
  expect(text).toContain(`"data":${sent}`);
  const where = encodeURIComponent(sent);
  expect((await platform.ask(`${ENTRIES}?where=${where}`)).text).toContain(`"data":${sent}`);
});

it.each(['[1]', 'null', '7', '"text"'])('refuses the entry %s by its place', async (entry) => {
  const { status, body } = await platform.ask(ENTRIES, { body: `{"entries":[{},${entry}]}` });
  expect(status).toBe(422);
  expect(body.details).toEqual([{ path: '/entries/1', message: 'An entry must be an object.' }]);
});
