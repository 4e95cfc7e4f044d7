/** The command really runs both versions of an action, with each profile of V3. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ActionReport } from '../../../../lib/cli/migrate/types.ts';
import { runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../platform/support/platform.ts';

test('both versions really run with generated payloads, too', async () => {
  const folder = await temporaryFolder();
  const greet = {
    functionPackage: 'com.platform.function.send-notification',
    settings: { title: 'Hi', message: 'Zoe' },
  };
  const conditions = [{ condition: 'name === "Zoe"', functions: [greet] }];
  const action = { name: 'A', functions: [{ type: 'if', conditions, elseFunctions: [] }] };
  await writeFile(join(folder, 'a.json'), JSON.stringify(action));
  const out = join(folder, 'out');
  await runCli(['migrate', '--action-file', join(folder, 'a.json'), '--effects', '--out', out]);
  const [name = ''] = await readdir(out);
  const { effects = [] } = JSON.parse(await readFile(join(out, name, 'report.json'), 'utf8')) as ActionReport;
  for (const { state, runs } of effects) {
    expect(state).toBe('equal');
    expect(runs[0]).toMatchObject({ payload: {}, messages: 0 });
    expect(runs).toContainEqual(expect.objectContaining({ payload: { name: 'Zoe' }, generated: true, messages: 1 }));
  }
  expect(effects).toHaveLength(2);
}, 240_000);
