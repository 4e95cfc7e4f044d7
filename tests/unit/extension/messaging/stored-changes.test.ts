/** Tests that a page of the extension hears of stored data that another page has changed. */
import { beforeEach, expect, it } from 'vitest';
import { createChannel, type SharedStorage } from '../../../../lib/extension/messaging/announcements.ts';
import type { MessageName, Send } from '../../../../lib/extension/messaging/protocol.ts';
import { StoredChanges, type StoredData } from '../../../../lib/extension/messaging/stored-changes.ts';
import { fakeSharedStorage } from '../../../support/fake-storage.ts';

let storage: SharedStorage;
beforeEach(() => {
  storage = fakeSharedStorage();
});

function createPage() {
  const changes = new StoredChanges(createChannel(storage, 'stored'));
  const heard: StoredData[] = [];
  const listening = Promise.withResolvers<void>();
  const unsubscribe = changes.subscribe((what) => {
    heard.push(what);
    listening.resolve();
  });
  return { changes, heard, unsubscribe, heardOne: listening.promise };
}
const done = (() => Promise.resolve({ ok: true, value: null })) as unknown as Send;
const failed = (() =>
  Promise.resolve({ ok: false, error: { code: 'WORKER_UNREACHABLE', message: 'Stopped.' } })) as Send;
const say = (send: Send, name: MessageName) => send(name, undefined as never);

it.each<[MessageName, StoredData]>([
  ['environments.save', 'environments'],
  ['environments.remove', 'environments'],
  ['environments.import', 'environments'],
  ['publish.seen', 'publishes'],
  ['data.erase', 'everything'],
])('after %s, other pages reload %s, and the page itself does not', async (name, what) => {
  const [here, other] = [createPage(), createPage()];
  await say(here.changes.announced(done), name);
  await other.heardOne;
  expect({ here: here.heard, other: other.heard }).toEqual({ here: [], other: [what] });
});

it('announces a change whose response was an error, because the worker may have made it', async () => {
  const [here, other] = [createPage(), createPage()];
  await say(here.changes.announced(failed), 'environments.save');
  await other.heardOne;
  expect(other.heard).toEqual(['environments']);
});

it('announces no reads, and nothing to a page that unsubscribed', async () => {
  const [here, other, gone] = [createPage(), createPage(), createPage()];
  gone.unsubscribe();
  await say(here.changes.announced(done), 'environments.list');
  await say(here.changes.announced(done), 'environments.remove');
  await other.heardOne;
  expect({ other: other.heard, gone: gone.heard }).toEqual({ other: ['environments'], gone: [] });
});

it('announces the same change again, keeps channels apart, and leaves nothing in the storage', async () => {
  const [here, other] = [createPage(), createPage()];
  const locks: unknown[] = [];
  createChannel(storage, 'lock').addEventListener('message', ({ data }) => locks.push(data));
  here.changes.announce('publishes');
  here.changes.announce('publishes');
  await other.heardOne;
  new StoredChanges(createChannel(storage, 'lock')).announce('guard');
  expect({ other: other.heard, locks }).toEqual({ other: ['publishes', 'publishes'], locks: ['guard'] });
  await expect.poll(() => storage.session.get('platform-devtools.announced.stored')).toEqual({});
});

it('a browser that refuses to store an announcement only delays what other pages show', async () => {
  storage.session.set = () => Promise.reject(new Error('QuotaExceeded'));
  expect(await say(createPage().changes.announced(done), 'environments.save')).toEqual({ ok: true, value: null });
});
