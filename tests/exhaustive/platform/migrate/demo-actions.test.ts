/** All demo actions, run as a demo user would, and migrated with proof: their statuses, and how strong the proof is. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionReport } from '../../../../lib/cli/migrate/types.ts';
import type { Action } from '../../../../lib/platform-api/index.ts';
import { PROFILE_NAMES } from '../../../../lib/platform-api/actions-v3/index.ts';
import { runCli } from '../../../support/run-cli.ts';
import { start, startForTest, temporaryFolder, type TestPlatform } from '../../../platform/support/platform.ts';

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
/** Where all of them are migrated once. */
let out: string;
let migrated: Migrated[];
beforeAll(async () => {
  platform = await start({ oauthDemoPort: null, limits: { time: 2_000 } });
  for (const app of APPS) for (const action of await actionsOf(app)) await recordRuns(app, action);
  // A week with many long visits.
  const data = { status: 'done', minutes: 170, checkedOutAt: '2026-01-01T00:00:00Z' };
  const entries = Array.from({ length: 200 }, (_, index) => ({ ...data, customer: `Customer ${index}` }));
  await platform.ask('/v1/data-sources/501/entries', { body: { entries } });
  await run(101, 'weekly-report', {});
  out = await mkdtemp(join(tmpdir(), 'migrate-demo-'));
  migrated = (await Promise.all(APPS.map((app) => migrateApp(app, out)))).flat();
}, 600_000);
afterAll(async () => {
  await platform.close();
  await rm(out, { recursive: true, force: true });
});

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

async function migrateApp(app: number, folder: string, ...options: string[]): Promise<Migrated[]> {
  const args = ['--app', String(app), '--url', platform.baseUrl, '--out', folder, '--json', ...options];
  const { out: printed, error } = await runCli(['migrate', ...args], { env: { PLATFORM_TOKEN: platform.authToken } });
  expect(error).toBe('');
  return (JSON.parse(printed) as { actions: Migrated[] }).actions;
}

const filesOf = ({ folder }: Migrated, inside: string): Promise<string[]> =>
  Promise.all(
    ['action.v3.js', 'action.v3.json', 'report.json'].map((name) => readFile(join(inside, folder, name), 'utf8')),
  );

test('have these statuses, and at least 90 % of the mistakes in their code would be found', () => {
  expect(Object.fromEntries(migrated.map(({ name, report }) => [name, report.status]))).toEqual(STATUSES);
  const figures = migrated.map(({ name, report: { strength } }) => `${name}: ${strength.caught} of ${strength.total}`);
  const sum = (of: (strength: ActionReport['strength']) => number): number =>
    migrated.reduce((total, { report }) => total + of(report.strength), 0);
  const share = sum(({ caught }) => caught) / sum(({ total }) => total);
  expect(share, figures.join('\n')).toBeGreaterThanOrEqual(0.9);
});

test('give the same bytes twice', async () => {
  const again = await temporaryFolder();
  const [action, ...others] = await migrateApp(101, again, '--action', 'notify-admins');
  expect(others).toEqual([]);
  expect(await filesOf(action!, again)).toEqual(await filesOf(action!, out));
});

test.each(PROFILE_NAMES)('are accepted as V3 actions with the profile %s', async (v3Profile) => {
  const target = await startForTest({ v3Profile, oauthDemoPort: null });
  const refused: string[] = [];
  for (const action of migrated) {
    const { name } = action;
    const [code, draft] = await filesOf(action, out);
    const body = { ...(JSON.parse(draft!) as object), name: `migrated-${name}`, code };
    const { status, text } = await target.ask('/v3/apps/101/actions', { body });
    if (status !== 201) refused.push(`${name}: ${text}`);
  }
  expect(refused).toEqual([]);
});
