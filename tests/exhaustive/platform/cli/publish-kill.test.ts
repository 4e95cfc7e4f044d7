/** Kills `publish` at moments around the platform’s confirmation: none that wasn’t printed goes unnoticed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../../support/servers/faulty-platform.ts';
import { start, temporaryFolder, type TestPlatform } from '../../../platform/support/platform.ts';

const KILLS = 46;

let platform: TestPlatform;
let proxy: FaultyPlatform;
beforeAll(async () => {
  platform = await start({ oauthDemoPort: null });
  proxy = await startFaultyPlatform(platform.baseUrl);
});
afterAll(async () => {
  await proxy.close();
  await platform.close();
});

it(
  'a publish that is killed after its confirmation was printed, or is noticed by the next one',
  async () => {
    const args = ['publish', '--app', '102', '--notes', 'Faster lists'];
    const unnoticed: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const env = {
        PLATFORM_URL: proxy.baseUrl,
        PLATFORM_TOKEN: platform.authToken,
        PLATFORM_DEVTOOLS_HOME: await temporaryFolder(),
        PLATFORM_DEVTOOLS_KEYCHAIN: 'off',
      };
      const child = spawn(process.execPath, ['lib/cli/bin.ts', ...args], { env: { ...process.env, ...env } });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      proxy.gate = (moment, { method }) => {
        if (method === 'POST' && moment === 'processed') setTimeout(() => child.kill('SIGKILL'), kill / 4);
      };
      await once(child, 'close');
      proxy.gate = () => {};
      if (out.includes('Published')) continue;
      const { error } = await runCli(args, { env });
      if (!error.includes('(PUBLISH_UNCONFIRMED)')) unnoticed.push(kill);
    }
    expect(unnoticed).toEqual([]);
  },
  10 * 60_000,
);
