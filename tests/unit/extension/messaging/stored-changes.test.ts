/** Tests that a page of the extension hears of stored data that another page has changed. */
import { afterEach, expect, it } from 'vitest';
import type { MessageName, Send } from '../../../../lib/extension/messaging/protocol.ts';
import { StoredChanges, type StoredData } from '../../../../lib/extension/messaging/stored-changes.ts';

const channels: BroadcastChannel[] = [];
afterEach(() => channels.splice(0).forEach((channel) => channel.close()));

function createPage() {
  const channel = new BroadcastChannel('stored');
  channels.push(channel);
  const changes = new StoredChanges(channel);
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
