/** All demo actions, run as a demo user would, and migrated with proof: their statuses, and how strong the proof is. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../../../lib/cli/migrate/main.ts';
import type { ActionReport } from '../../../lib/cli/migrate/types.ts';
import type { Action } from '../../../lib/platform-api/index.ts';
import { PROFILE_NAMES } from '../../../lib/platform-api/actions-v3/index.ts';
import { start, startForTest, temporaryFolder, type TestPlatform } from '../support/platform.ts';

/** What a demo user runs: payloads by action. */
const RUNS: Record<string, Record<string, unknown>[]> = {
  'weekly-report': [{}],
  'check-out-at-midnight': [{}],
  'notify-admins': [{}, { log: { type: 'dataSource.entry.create', dataSourceId: 503 } }],
  'number-range': [{}],
  'throws-on-bad-address': [{}],
  'never-ends': [{}],
  'never-settles': [{}],
  'one-of-each-step': [{}],
  'is-email-registered': [{ email: 'user@example.com' }, { email: 'someone@example.com' }],
  'welcome-visitor': [{ log: { dataSourceEntryId: 7 } }, {}],
  'count-page-views': [{ type: 'analytics.pageView', data: { _pageId: 2101 } }],
  'check-platform': [{}],
  'unfinished-import': [{}],
};
const APPS = [101, 102, 103];

const STATUSES = {
  'weekly-report': 'proved',
  'check-out-at-midnight': 'proved',
  'notify-admins': 'proved',
  'number-range': 'proved',
  'throws-on-bad-address': 'faithful',
  'never-ends': 'equal-so-far',
  'never-settles': 'faithful',
  'one-of-each-step': 'equal-so-far',
  // Runs a screen.
  'count-open-visits': 'needs-person',
  'is-email-registered': 'proved',
  'welcome-visitor': 'proved',
  'count-page-views': 'proved',
  // Requests a URL without a host.
  'check-platform': 'needs-person',
  'unfinished-import': 'proved',
};

interface Migrated {
  name: string;
  folder: string;
  report: ActionReport;
}

let platform: TestPlatform;
beforeAll(async () => {
  platform = await start({ oauthDemoPort: null, limits: { time: 2_000 } });
  for (const app of APPS) for (const action of await actionsOf(app)) await recordRuns(app, action);
  // A week with many long visits.
  const data = { status: 'done', minutes: 170, checkedOutAt: '2026-01-01T00:00:00Z' };
  const entries = Array.from({ length: 200 }, (_, index) => ({ ...data, customer: `Customer ${index}` }));
  await platform.ask('/v1/data-sources/501/entries', { body: { entries } });
  await run(101, 'weekly-report', {});
}, 120_000);
afterAll(() => platform.close());

const actionsOf = async (app: number): Promise<Action[]> =>
  (await platform.ask<{ actions: Action[] }>(`/v1/apps/${app}/actions`)).body.actions;

async function recordRuns(app: number, { name, triggers, pageId }: Action): Promise<void> {
  if (pageId !== null) return;
  // Those that only an event fires can’t be recorded otherwise.
  const body = { active: true, environment: 'any', triggers: [...triggers, { trigger: 'manual' }] };
  const { status, text } = await platform.ask(`/v1/apps/${app}/actions/${name}`, { method: 'PUT', body });
  expect(status, text).toBe(200);
  for (const payload of RUNS[name]!) await run(app, name, payload);
}

const run = (app: number, name: string, payload: object): Promise<unknown> =>
  platform.ask(`/v1/apps/${app}/actions/${name}/run-with-result`, { body: { payload, record: true } });

async function migrateAll(out: string): Promise<Migrated[]> {
  const all: Migrated[] = [];
  for (const app of APPS) {
    let text = '';
    const args = ['--app', String(app), '--url', platform.baseUrl, '--out', out, '--json'];
    await main(
      args,
      { PLATFORM_TOKEN: platform.authToken },
      { out: (each) => void (text += each), error: expect.fail },
    );
    all.push(...(JSON.parse(text) as { actions: Migrated[] }).actions);
  }
  return all;
}

test('have these statuses, and at least 90 % of the mistakes in their code would be found', async () => {
  const out = await temporaryFolder();
  const migrated = await migrateAll(out);
  expect(Object.fromEntries(migrated.map(({ name, report }) => [name, report.status]))).toEqual(STATUSES);
  const figures = migrated.map(({ name, report: { strength } }) => `${name}: ${strength.caught} of ${strength.total}`);
  const sum = (of: (strength: ActionReport['strength']) => number): number =>
    migrated.reduce((total, { report }) => total + of(report.strength), 0);
  const share = sum(({ caught }) => caught) / sum(({ total }) => total);
  expect(share, figures.join('\n')).toBeGreaterThanOrEqual(0.9);
});

test('give the same bytes twice', async () => {
  const folders = [await temporaryFolder(), await temporaryFolder()];
  const contents = [];
  for (const out of folders) {
    const migrated = await migrateAll(out);
    const files = migrated.flatMap(({ folder }) =>
      ['action.v3.js', 'action.v3.json', 'report.json'].map((name) => readFile(join(out, folder, name), 'utf8')),
    );
    contents.push(await Promise.all(files));
  }
  expect(contents[1]).toEqual(contents[0]);
});

test.each(PROFILE_NAMES)('are accepted as V3 actions with the profile %s', async (v3Profile) => {
  const out = await temporaryFolder();
  const migrated = await migrateAll(out);
  const target = await startForTest({ v3Profile, oauthDemoPort: null });
  const refused: string[] = [];
  for (const { name, folder } of migrated) {
    const [code, draft] = await Promise.all(
      ['action.v3.js', 'action.v3.json'].map((file) => readFile(join(out, folder, file), 'utf8')),
    );
    const body = { ...(JSON.parse(draft!) as object), name: `migrated-${name}`, code };
    const { status, text } = await target.ask('/v3/apps/101/actions', { body });
    if (status !== 201) refused.push(`${name}: ${text}`);
  }
  expect(refused).toEqual([]);
});
