/** Opens what version 0.1.0 of the extension stored: an update must not lose anything that a user entered. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, expect, test, vi } from 'vitest';
import { createPublishStore } from '../../../lib/extension/background/publish-store.ts';
import { SavedDrafts } from '../../../lib/extension/panel/actions/edit/saved-drafts.ts';
import { createRunStore } from '../../../lib/extension/panel/run/history/run-database.ts';
import { loadUnfinishedRun, restoreTrace } from '../../../lib/extension/panel/run/history/stored-run.ts';
import { isPartial } from '../../../lib/extension/panel/run/trace.ts';
import { Vault } from '../../../lib/extension/vault/index.ts';
import { loadDatabases, readRecordedData } from '../../support/recorded-data.ts';

const recorded = readRecordedData('extension.json');
const locked = readRecordedData('extension-locked.json');

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});

const environments = async () => new Map((await new Vault().list()).map((one) => [one.name, one]));

test('version 0.1.0’s environments keep their settings and tokens', async () => {
  await loadDatabases(recorded);
  const found = await environments();
  expect([...found.keys()]).toEqual(['Local', 'Proxy', 'Without token']);
  expect(found.get('Proxy')).toMatchObject({ preset: 'custom', namespace: 'acme', production: true });
  expect((await new Vault().connection(found.get('Local')!.id)).token).toBe(recorded.token);
  expect(found.get('Without token')?.maskedToken).toBeNull();
});

test('version 0.1.0’s locked tokens open with their passphrase', async () => {
  await loadDatabases(locked);
  const vault = new Vault();
  expect((await vault.state()).lock).toMatchObject({ kind: 'locked', idleMinutes: 15 });
  await vault.unlock(locked.passphrase!);
  const local = (await vault.list()).find(({ name }) => name === 'Local');
  expect((await vault.connection(local!.id)).token).toBe(locked.token);
});

test('version 0.1.0’s past runs show their steps', async () => {
  await loadDatabases(recorded);
  const store = createRunStore();
  const runs = await store.list();
  expect(runs.map(({ title, state }) => ({ title, state }))).toEqual([
    { title: 'Field Service · throws-on-bad-address', state: 'failed' },
    { title: 'Visitor Desk · is-email-registered', state: 'completed' },
  ]);
  const [failed, completed] = await Promise.all(runs.map(({ id }) => loadUnfinishedRun(store, id, () => null)));
  const statesOf = (run: typeof failed): string[] => [...(run?.trace.steps.values() ?? [])].map(({ state }) => state);
  expect(statesOf(failed)).toContain('failed');
  expect(failed?.trace.error?.errorMessage).toContain('is not an e-mail address');
  expect(new Set(statesOf(completed))).toEqual(new Set(['completed']));
  expect(JSON.stringify(completed?.trace.result)).toContain('nobody@nowhere.example is not registered');
  const sizes = runs.map(({ size, characters = 0 }) => characters / size);
  expect(sizes.every((ratio) => ratio > 5.9 && ratio <= 6)).toBe(true);
  expect(await store.countQuarantined()).toBe(0);
});

test('version 0.1.0’s past runs aren’t called incomplete', async () => {
  await loadDatabases(recorded);
  const store = createRunStore();
  const traces = (await store.list()).map(async (run) => restoreTrace(run, await store.events(run.id)));
  expect((await Promise.all(traces)).map(isPartial)).toEqual([false, false]);
});

test('version 0.1.0’s saved payload is still listed for its action', async () => {
  await loadDatabases(recorded);
  const store = createRunStore();
  const [run] = (await store.list()).filter(({ state }) => state === 'completed');
  expect(await store.payloads(run!.subject)).toMatchObject([
    { name: 'Not registered', text: '{"email": "nobody@nowhere.example"}' },
  ]);
});

test('version 0.1.0’s draft of an action is restored', async () => {
  await loadDatabases(recorded);
  const environmentId = (await environments()).get('Local')!.id;
  const draft = await new SavedDrafts(createRunStore(), { environmentId, appId: 101, actionId: null }).read();
  expect(JSON.parse(draft!.text)).toMatchObject({ name: 'draft-of-an-action' });
});

test('version 0.1.0’s publishes keep their outcome, and what its errors called “next” is their hint', async () => {
  await loadDatabases(recorded);
  const publishes = await createPublishStore().list();
  expect(publishes.map(({ release, outcome }) => ({ notes: release.changelog, state: outcome?.state }))).toEqual([
    { notes: 'Never confirmed.', state: 'unknown' },
    { notes: 'The map on small screens.', state: 'failed' },
    { notes: 'Visits can be signed.', state: 'published' },
  ]);
  const [unknown, failed] = publishes.map(({ outcome }) => outcome);
  expect(unknown).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN', hint: expect.stringContaining('Read the list') } });
  expect(failed).toMatchObject({ error: { code: 'PLATFORM_UNAVAILABLE', hint: 'Wait a little and try again.' } });
  expect(failed).not.toHaveProperty('error.next');
});
