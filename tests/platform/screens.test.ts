/**
 * Screens as targets of runs on the server: which version is loaded, and which parts of it (specification, "App Actions
 * V2", rules 8 and 9).
 */
import { expect, it, onTestFinished } from 'vitest';
import { eq } from '../../lib/local-platform/db/drizzle.ts';
import { screens, type ScreenAsset } from '../../lib/local-platform/db/schema.ts';
import { createCatalogue } from '../../lib/local-platform/functions/catalogue.ts';
import { createExecute } from '../../lib/local-platform/jobs/execute.ts';
import type { RunRequest } from '../../lib/local-platform/jobs/types.ts';
import { onDatabase } from './support/databases.ts';
import { BASE_URL, testRunner } from './support/runner.ts';

const respondingWith = (version: string): ScreenAsset[] => [
  { name: 'screen.css', kind: 'style', source: 'h1 { color: red; }' },
  {
    name: 'screen.js',
    kind: 'script',
    source: `Platform.Page.onRemoteExecution((payload) => ({ ...payload, version: '${version}', document: typeof document }));`,
  },
  { name: 'screen.svg', kind: 'image', source: '<svg></svg>' },
];
const request = (copy: RunRequest['copy'], pageId = 2002): RunRequest & { runId: string } => ({
  runId: 'r',
  appId: 101,
  actionId: 1,
  actionName: 'a',
  trigger: 'manual',
  mode: 'on-demand',
  copy,
  pipeline: [],
  pageId,
  payload: { p: 1 },
  depth: 0,
});

onDatabase(({ open }) => {
  it('runs the published copy of a screen on schedule, the copy of the environment on demand, and loads only its scripts', async () => {
    const { db } = await open();
    const runner = testRunner();
    onTestFinished(() => runner.close());
    const execute = createExecute({
      db,
      runner,
      catalogue: createCatalogue(),
      baseUrl: () => BASE_URL,
      runToken: () => 'token',
      time: 20_000,
      records: true,
      secrets: [],
    });
    const run = (copy: RunRequest['copy'], pageId?: number) =>
      execute(request(copy, pageId), new AbortController().signal);

    await db
      .update(screens)
      .set({ assets: respondingWith('changed since'), published: respondingWith('published') })
      .where(eq(screens.id, 2002));
    for (const [copy, version] of [
      ['published', 'published'],
      ['working', 'changed since'],
    ] as const) {
      expect(await run(copy)).toEqual({
        outcome: {
          state: 'completed',
          result: { p: 1, version, document: 'undefined' },
          milliseconds: expect.any(Number),
        },
        console: [],
      });
    }
    await db.update(screens).set({ published: null }).where(eq(screens.id, 2002));
    expect((await run('published')).outcome).toMatchObject({
      state: 'failed',
      failure: { errorMessage: 'Screen 2002 isn’t published. Publish the app.' },
    });
    expect((await run('working', 2101)).outcome).toMatchObject({
      state: 'failed',
      failure: { errorMessage: expect.stringContaining('The app has no screen 2101') },
    });
  });
});
