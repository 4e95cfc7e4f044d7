/**
 * A run that starts runs on demand is limited in depth like runs that fire one another by log records, and the log
 * reports it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Action, LogList } from '../../lib/platform-api/index.ts';
import { onDatabase } from './support/databases.ts';
import { startForTest, temporaryFolder } from './support/platform.ts';

const AGAIN = `
/** The function again: starts the action that it runs in. */
Platform.Functions.register('test.again', () => Platform.App.Actions.run('again'));`;

onDatabase(({ url }) => {
  it('an action that runs itself stops at a depth of 5, with a failed run in the log that says so', async () => {
    const functions = await temporaryFolder();
    await writeFile(join(functions, 'again.js'), AGAIN);
    const platform = await startForTest({ databaseUrl: await url(), functions });
    const { body } = await platform.ask<{ action: Action }>('/v1/apps/101/actions', {
      body: { name: 'again', environment: 'server', functions: [{ functionPackage: 'test.again' }] },
    });
    const logs = async () => (await platform.ask<LogList>(`/v1/apps/101/logs?id=${body.action.id}`)).body.logs;
    expect((await platform.ask('/v1/apps/101/actions/again/run', { body: {} })).status).toBe(202);

    // Six runs, at depths 0 to 5, and the one that wasn’t started.
    const records = await vi.waitFor(
      async () => {
        const found = await logs();
        expect(found).toHaveLength(7);
        return found;
      },
      { timeout: 30_000, interval: 50 },
    );
    const errorMessage = 'Couldn’t run again: a chain of runs that start one another is limited to 5.';
    const failed = records.filter(({ type }) => type === 'app.task.failed').map(({ data }) => data!);
    expect(failed.find(({ runId }) => runId === undefined)).toEqual({
      mode: 'on-demand',
      duration: 0,
      actionId: body.action.id,
      result: { errorType: 'DEPTH_LIMIT', errorMessage, trace: [] },
    });
    // The action that started it gets the error too, and fails unless it catches it.
    expect(failed.find(({ runId }) => runId !== undefined)!.result).toMatchObject({ errorMessage });
    expect(failed).toHaveLength(2);
    expect(records.filter(({ type }) => type === 'app.action.completed')).toHaveLength(5);
  });
});
