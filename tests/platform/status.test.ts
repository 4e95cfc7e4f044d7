import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startPlatform } from '../../lib/local-platform/index.ts';

test('the status has the version of the repository', async () => {
  const platform = await startPlatform({ port: 0, data: 'memory', oauthDemoPort: null });
  onTestFinished(() => platform.close());
  const { version } = JSON.parse(await readFile(resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const response = await fetch(`${platform.baseUrl}/v1/status`);
  expect(await response.json()).toEqual({ status: 'ok', version, features: ['mocks', 'recordings'] });
});
