/** What the installed npm package `platform-devtools` does with a browser. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNothingLeft, interrupt, startIn } from '../../support/installed.ts';
import { type PackedProject, packedProject } from '../../support/packed-project.ts';

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject(['cli']);
}, 300_000);
afterAll(() => project?.remove());

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

test('npx platform-devtools start --once runs the demo without the repository, and leaves no process', async () => {
  const started = startIn(project, 'npx', ['platform-devtools', 'start', '--once', '--screenshot', 'panel.png']);
  const { code, out, err } = await started.ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^Local platform at http:\/\/localhost:\d+$/);
  expect(lines.slice(-3)).toEqual([
    'State       completed',
    'Screenshot  panel.png',
    'Result: "5 of 40 people notified"',
  ]);
  expect((await readFile(join(project.folder, 'panel.png'))).subarray(0, 4)).toEqual(PNG);
  await expectNothingLeft(started);
});

test('start --json prints only the run', async () => {
  const { code, out, err } = await startIn(project, 'npx', ['platform-devtools', 'start', '--json']).ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { state, result, screenshot, steps } = JSON.parse(out) as Record<string, string> & { steps: unknown[] };
  expect({ state, result }).toEqual({ state: 'completed', result: '"5 of 40 people notified"' });
  expect(steps.length).toBeGreaterThan(40);
  expect((await stat(screenshot!)).isFile()).toBe(true);
});

test('Ctrl+C ends start and the browser that it is opening', async () => {
  const bin = join(project.folder, 'node_modules/.bin/platform-devtools');
  const started = startIn(project, bin, ['start', '--once']);
  await started.printed(/OAuth2 demo services/);
  expect((await interrupt(started)).code).toBe(130);
  await expectNothingLeft(started);
});

test('run opens a debug page with the agent that the package has', async () => {
  const bin = join(project.folder, 'node_modules/.bin/platform-devtools');
  const platform = startIn(project, bin, ['platform', '--port', '0', '--data', 'memory', '--json']);
  const { baseUrl, authToken } = JSON.parse(await platform.printed(/\n/)) as { baseUrl: string; authToken: string };
  const args = ['run', '--app', '101', '--action', 'notify-admins', '--url', baseUrl, '--json'];
  const run = startIn(project, bin, args, { env: { PLATFORM_TOKEN: authToken } });
  const { code, out, err } = await run.ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('5 of 40 people notified');
  await expectNothingLeft(run);
  await interrupt(platform);
});
