import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startForTest } from './support/platform.ts';

test('the status has the version of the repository', async () => {
  const platform = await startForTest();
  const { version } = JSON.parse(await readFile(resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const response = await fetch(`${platform.baseUrl}/v1/status`);
  expect(await response.json()).toEqual({ status: 'ok', version, features: ['mocks', 'recordings'] });
});
