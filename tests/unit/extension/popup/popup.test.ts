import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { App } from '../../../../lib/platform-api/app.ts';
import type { Environment } from '../../../../lib/extension/messaging/model/environment.ts';
import type { PublishRecord } from '../../../../lib/extension/messaging/model/publishing.ts';
import { withUnreadable } from '../../../../lib/platform-api/lists/unreadable.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import type { MessageName, Send } from '../../../../lib/extension/messaging/protocol.ts';
import { Popup, type PopupOptions } from '../../../../lib/extension/popup/popup.ts';
import { SavedState } from '../../../../lib/extension/popup/saved-state.ts';

const APPS = [
  { id: 7, name: 'Field Service', version: 12, updatedAt: 't12', deletedAt: null },
  { id: 8, name: 'Old', version: 1, updatedAt: 't', deletedAt: 't' },
] as unknown as App[];
let stored: Map<string, unknown>;
let environments: Environment[];
let records: PublishRecord[];
let messages: [name: MessageName, takes: unknown][];
let responses: Partial<Record<MessageName, (takes: never) => unknown>>;
/** The abort signals of all requests for a preview. */
let signals: AbortSignal[];
let clock: number;
let scheduled: (() => void)[];
/** Whether the user accepts the browser’s prompt for notifications, and whether they are allowed. */
let acceptsPrompt: boolean;
let isAllowed: boolean;

beforeEach(() => {
  stored = new Map();
  environments = [
    { id: 'a', name: 'Local', production: false },
    { id: 'b', name: 'Live', production: true },
  ] as Environment[];
  records = [];
  messages = [];
  signals = [];
  scheduled = [];
  acceptsPrompt = true;
  isAllowed = false;
  clock = 1_000_000;
  responses = {
    'environments.list': () => environments,
    'apps.list': () => APPS,
    'publish.list': () => records,
    'publish.preview': ({ appId }: { appId: number }) => ({
      appId,
      name: 'Field Service',
      current: { version: 12, updatedAt: 't12' },
      audience: { users: 3, behind: 1 },
      audienceError: null,
    }),
    'publish.seen': () => null,
    'publish.start': (order: PublishRecord) => {
      records = [
        { ...order, baseUrl: '', startedAt: clock, sentAt: null, outcome: null, seen: false, discarded: false },
        ...records,
      ];
      return records[0];
    },
  };
});

/** A browser’s `storage.local`. */
const area = {
  get: () => Promise.resolve(Object.fromEntries(stored)),
  set: (items: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(items)) stored.set(key, structuredClone(value));
    return Promise.resolve();
  },
  remove: (key: string) => Promise.resolve(void stored.delete(key)),
};
const send = ((name, takes, signal) => {
  messages.push([name, takes]);
  if (signal) signals.push(signal);
  const value = responses[name]?.(takes as never);
  if (value instanceof Promise)
    return value.then(() => ({ ok: false, error: { code: 'ABORTED', message: 'The request was canceled.' } }));
  return Promise.resolve(
    value instanceof Error ? { ok: false, error: { code: value.message, message: 'No.' } } : { ok: true, value },
  );
}) as Send;
const make = (link: PopupOptions['link'] = null, saved = new SavedState(area, Object.fromEntries(stored))) =>
  new Popup({
    send,
    link,
    saved,
    now: () => clock,
    schedule: (callback) => {
      scheduled.push(callback);
      return () => {};
    },
    notifications: {
      contains: () => Promise.resolve(isAllowed),
      request: () => Promise.resolve((isAllowed ||= acceptsPrompt)),
      remove: () => Promise.resolve(!(isAllowed = false)),
    },
  });
const opened = async (appId = 7) => {
  const popup = make();
  await popup.open();
  await waitFor('the environments', () => popup.selection.environmentsLoaded.value);
  popup.chooseApp(appId);
  await waitFor('the app', () => popup.preview.value !== null);
  return popup;
};
const count = (name: MessageName) => messages.filter(([one]) => one === name).length;

describe('opening', () => {
  it('shows saved choices immediately and loads old app lists again', async () => {
    (await opened()).setChangelog('Half');
    clock += 60_000;
    messages = [];
    const popup = make();
    expect(popup.selection.environment.value?.name).toBe('Local');
    expect(popup.selection.app.value?.name).toBe('Field Service');
    expect(popup.selection.apps.value?.at).toBe(1_000_000);
    expect(popup.draft.changelog.value).toBe('Half');
    await popup.open();
    expect(count('apps.list')).toBe(0);
    clock += 3_600_000;
    await make().open();
    expect(count('apps.list')).toBe(1);
    clock -= 7_200_000;
    await make().open();
    expect(count('apps.list')).toBe(2);
  });

  it('says that environments are in quarantine if there’s no other one', async () => {
    environments = [];
    responses['vault.state'] = () => ({ quarantined: 2, lock: { kind: 'open' } });
    const popup = make();
    await popup.open();
    expect(popup.selection.quarantined.value).toBe(2);
  });

  it('loads apps again that were saved by a clock that was set back since', async () => {
    await opened();
    clock -= 86_400_000;
    messages = [];
    await make().open();
    expect(count('apps.list')).toBe(1);
  });

  it('saves what couldn’t be read of the list of apps', async () => {
    const unreadable = [{ id: 9, item: 'ID 9', why: 'name: must be a string' }];
    responses['apps.list'] = () => withUnreadable([...APPS], unreadable);
    await opened();
    expect(make().selection.apps.value?.unreadable).toEqual(unreadable);
  });

  it('loads the apps again when a search matches none, unless they were just loaded', async () => {
    const { selection } = await opened();
    messages = [];
    await selection.searchAgain();
    expect(count('apps.list')).toBe(0);
    clock += 2_000;
    await Promise.all([selection.searchAgain(), selection.searchAgain()]);
    expect(count('apps.list')).toBe(1);
    expect(selection.apps.value?.at).toBe(clock);
  });

  it('selects the app of its link, with that app’s draft, and stays with it', async () => {
    const before = await opened();
    before.setChangelog('Half');
    before.chooseApp(9);
    await before.chooseEnvironment('b');
    before.chooseApp(9);
    const order = { id: 'x', environmentId: 'b', appId: 9, release: { type: 'silent', changelog: 'x' } };
    records = [{ ...order, outcome: null, seen: false, discarded: false } as PublishRecord];
    const popup = make({ environmentId: 'a', appId: 7 });
    expect(popup.draft.changelog.value).toBe('Half');
    await popup.open();
    expect(popup.selection.environmentId.value).toBe('a');
    expect(popup.selection.app.value?.name).toBe('Field Service');
    expect(popup.shown.value).toBeNull();
    expect(count('publish.start')).toBe(0);
  });

  it('leaves out deleted apps and ignores damaged storage', async () => {
    expect((await opened()).selection.apps.value?.apps.map(({ id }) => id)).toEqual([7]);
    for (const key of stored.keys()) stored.set(key, '{"at":');
    expect((await opened()).selection.app.value?.name).toBe('Field Service');
    for (const key of stored.keys()) stored.set(key, [null, 7]);
    expect((await opened()).selection.app.value?.name).toBe('Field Service');
  });

  it('opens on an app whose publish is running or unseen', async () => {
    await opened();
    records = [
      {
        id: 'r',
        environmentId: 'b',
        appId: 9,
        appName: 'Other',
        release: { type: 'silent', changelog: 'x' },
        outcome: { state: 'failed', at: 1, error: { code: 'NO', message: 'No.' } },
        seen: false,
        discarded: false,
      } as PublishRecord,
    ];
    const popup = make();
    await popup.open();
    await waitFor('the outcome', () => popup.shown.value !== null);
    expect(popup.selection.environment.value?.id).toBe('b');
    expect(popup.selection.appId.value).toBe(9);
    expect(messages.filter(([name]) => name === 'publish.seen')).toEqual([['publish.seen', { ids: ['r'] }]]);
  });

  it('drops saved apps to save a draft in full storage, and reports when that isn’t enough', async () => {
    const popup = await opened();
    const sizeOf = (value: unknown) => JSON.stringify(value).length;
    let room = [...stored].reduce((sum, [, value]) => sum + sizeOf(value), 0);
    const put = vi.spyOn(area, 'set').mockImplementation((items) => {
      const [[key, value]] = Object.entries(items) as [[string, unknown]];
      const others = [...stored].reduce((sum, [name, one]) => sum + (name === key ? 0 : sizeOf(one)), 0);
      if (others + sizeOf(value) > room) return Promise.reject(new Error('QUOTA_BYTES quota exceeded'));
      stored.set(key, value);
      return Promise.resolve();
    });
    popup.setChangelog('Faster start.');
    await waitFor('the draft', () => make().draft.changelog.value === 'Faster start.');
    expect(popup.error.value).toBeNull();
    expect(popup.selection.apps.value?.apps).toHaveLength(1);
    room = 0;
    popup.setChangelog('Faster start, and more.');
    await waitFor('the error', () => popup.error.value !== null);
    expect(popup.error.value).toMatchObject({
      code: 'DRAFT_NOT_KEPT',
      message: expect.stringContaining('lost when the popup closes'),
    });
    put.mockRestore();
    popup.setChangelog('Faster start, and more!');
    await waitFor('no error', () => popup.error.value === null);
    expect(make().draft.changelog.value).toBe('Faster start, and more!');
  });

  it('saves nothing over drafts that it couldn’t read, and says so', async () => {
    (await opened()).setChangelog('Half');
    const empty = { length: 0, key: () => null, getItem: () => null, removeItem: () => {} };
    const saved = await SavedState.load({ ...area, get: () => Promise.reject(new Error('IO error')) }, empty);
    const popup = make(null, saved);
    await popup.open();
    popup.chooseApp(7);
    popup.setChangelog('Other');
    await waitFor('the error', () => popup.error.value?.code === 'DRAFT_NOT_KEPT');
    expect(make().draft.changelog.value).toBe('Half');
  });

  it('moves what early versions saved from localStorage, and prefers what is newer', async () => {
    const key = (name: string) => `platform-devtools.popup.${name}`;
    const old = new Map([
      [key('app.a'), '7 (edited by hand)'],
      [key('environment'), '"b"'],
      [key('draft.a.7'), '{"type":"forced","changelog":"Old notes."}'],
      ['platform-devtools.environment', 'kept'],
    ]);
    stored.set(key('environment'), 'a');
    const storage = {
      get length() {
        return old.size;
      },
      key: (index: number) => [...old.keys()][index] ?? null,
      getItem: (name: string) => old.get(name) ?? null,
      removeItem: (name: string) => void old.delete(name),
    };
    const saved = await SavedState.load(area, storage);
    expect({ environment: saved.environmentId(), draft: saved.draft('a', 7) }).toEqual({
      environment: 'a',
      draft: { type: 'forced', changelog: 'Old notes.' },
    });
    expect([...old.keys()]).toEqual([key('app.a'), 'platform-devtools.environment']);
    expect(stored.get(key('draft.a.7'))).toEqual({ type: 'forced', changelog: 'Old notes.' });
  });

  it('never writes back what it has read, because another window might have changed it', async () => {
    const key = 'platform-devtools.popup.environment';
    stored.set(key, 'a');
    const get = vi.spyOn(area, 'get').mockImplementationOnce(async () => {
      const read = Object.fromEntries(stored);
      stored.set(key, 'b');
      return read;
    });
    await SavedState.load(area, { length: 0, key: () => null, getItem: () => null, removeItem: () => {} });
    get.mockRestore();
    expect(stored.get(key)).toBe('b');
  });

  it('aborts a preview that hangs when the popup is refreshed', async () => {
    const popup = await opened();
    const held = Promise.withResolvers<unknown>();
    const before = responses['publish.preview']!;
    responses['publish.preview'] = () => held.promise;
    popup.chooseApp(7);
    responses['publish.preview'] = before;
    await popup.refresh();
    expect(signals.slice(-2).map(({ aborted }) => aborted)).toEqual([true, false]);
    held.resolve(null);
    await new Promise((resolve) => setImmediate(resolve));
    expect(popup.preview.value?.current.version).toBe(12);
    expect(popup.previewLoading.value).toBe(false);
    expect(popup.error.value).toBeNull();
  });

  it('shows an error of the platform and keeps the saved apps', async () => {
    await opened();
    clock += 3_600_000;
    responses['apps.list'] = () => new Error('PLATFORM_UNREACHABLE');
    const popup = make();
    await popup.open();
    await waitFor('the error', () => popup.error.value?.code === 'PLATFORM_UNREACHABLE');
    expect(popup.selection.app.value?.name).toBe('Field Service');
  });
});

describe('publishing', () => {
  it('is disabled without an environment or release notes, and not because the browser reports no network', async () => {
    const popup = make();
    expect(popup.disabledReason.value).toBe('Choose an environment');
    const ready = await opened();
    expect(ready.disabledReason.value).toBe('Enter release notes');
    ready.setChangelog('  \n ');
    expect(ready.disabledReason.value).toBe('Enter release notes');
    ready.setChangelog('Faster.');
    await waitFor('all to be read', () => ready.disabledReason.value === null);
    ready.isOnline.value = false;
    expect(ready.disabledReason.value).toBeNull();
  });

  it.each([
    ['a', 'silent', 0],
    ['a', 'visible', 0],
    ['a', 'forced', 1],
    ['b', 'silent', 1],
  ] as const)('in environment %s with type %s needs %i confirmations', async (environment, type, steps) => {
    const popup = await opened();
    if (environment === 'b') {
      await popup.chooseEnvironment('b');
      popup.chooseApp(7);
      await waitFor('the app', () => popup.preview.value !== null);
    }
    popup.setType(type);
    popup.setChangelog('Faster.');
    popup.publish();
    expect(popup.isConfirming.value).toBe(steps === 1);
    expect(count('publish.start')).toBe(1 - steps);
    if (steps === 0) return;
    popup.setChangelog('Another thing.');
    expect(popup.isConfirming.value).toBe(false);
    popup.publish();
    popup.publish();
    expect(count('publish.start')).toBe(1);
  });

  it('sends once for a double click, polls until the end, then forgets the draft', async () => {
    const popup = await opened();
    popup.setChangelog('Faster.');
    popup.publish();
    popup.publish();
    await waitFor('it to start', () => scheduled.length > 0);
    expect(count('publish.start')).toBe(1);
    expect(messages.find(([name]) => name === 'publish.start')?.[1]).toMatchObject({
      environmentId: 'a',
      appId: 7,
      release: { type: 'silent', changelog: 'Faster.' },
      expected: { version: 12, updatedAt: 't12' },
    });
    records = records.map((record) => ({
      ...record,
      outcome: { state: 'published', at: 1, settled: false, app: { version: 13, updatedAt: 't13' } },
    }));
    scheduled.splice(0).forEach((callback) => callback());
    await waitFor('the outcome', () => popup.shown.value?.outcome?.state === 'published');
    expect(popup.draft.changelog.value).toBe('');
    await popup.backToForm();
    popup.chooseApp(7);
    expect(popup.shown.value).toBeNull();
    expect(popup.recentNotes.value).toEqual(['Faster.']);
    expect(make().draft.changelog.value).toBe('');
  });

  it('is tried again as a new intent with the same draft, after the same question', async () => {
    const popup = await opened();
    const failure = { code: 'ACCESS_DENIED', message: 'No.' };
    popup.setType('forced');
    popup.setChangelog('Faster.');
    popup.publish();
    popup.publish();
    await waitFor('the publish', () => popup.shown.value !== null);
    const [first] = records;
    records = [{ ...first!, outcome: { state: 'failed', at: clock, error: failure } }];
    await popup.handleStored('publishes');
    popup.setChangelog('Another thing.');
    await popup.tryAgain();
    expect({ asks: popup.isConfirming.value, starts: count('publish.start') }).toEqual({ asks: true, starts: 1 });
    popup.publish();
    await waitFor('the second publish', () => records.length === 2);
    expect(records[0]!.release).toEqual({ type: 'forced', changelog: 'Faster.' });
    expect(records[0]!.id).not.toBe(first!.id);
  });

  describe('while the app’s version loads before another try', () => {
    const tryAgain = async (change: (popup: Popup) => void) => {
      const popup = await opened();
      popup.setChangelog('Faster.');
      popup.publish();
      await waitFor('the publish', () => popup.shown.value !== null);
      const error = { code: 'ACCESS_DENIED', message: 'No.' };
      records = [{ ...records[0]!, outcome: { state: 'failed', at: clock, error } }];
      await popup.handleStored('publishes');
      const trying = popup.tryAgain();
      change(popup);
      await trying;
      await waitFor('the version', () => !popup.previewLoading.value);
      return popup;
    };

    it('publishes nothing if another app is selected', async () => {
      stored.set('platform-devtools.popup.draft.a.8', { type: 'silent', changelog: 'Of another app.' });
      await tryAgain((popup) => popup.chooseApp(8));
      expect(count('publish.start')).toBe(1);
    });

    it('publishes nothing if the release notes change', async () => {
      const popup = await tryAgain((one) => one.setChangelog('Faster, and'));
      expect(count('publish.start')).toBe(1);
      expect(popup.draft.changelog.value).toBe('Faster, and');
    });

    it('publishes what failed if nothing changes', async () => {
      await tryAgain(() => {});
      expect(count('publish.start')).toBe(2);
    });
  });

  it('asks again with the platform’s version after the environment was edited', async () => {
    const popup = await opened();
    popup.setType('forced');
    popup.setChangelog('Faster.');
    popup.publish();
    expect(popup.isConfirming.value).toBe(true);
    const previews = count('publish.preview');
    await popup.handleStored('environments');
    expect({ asks: popup.isConfirming.value, previews: count('publish.preview') }).toEqual({
      asks: false,
      previews: previews + 1,
    });
  });

  it.each([
    ['unknown', 'OUTCOME_UNKNOWN'],
    ['failed', 'APP_CHANGED'],
  ] as const)('isn’t tried again after the outcome %s with %s', async (state, code) => {
    const popup = await opened();
    popup.setChangelog('Faster.');
    popup.publish();
    await waitFor('the publish', () => popup.shown.value !== null);
    records = [{ ...records[0]!, outcome: { state, at: clock, error: { code, message: 'No.' } } }];
    await popup.handleStored('publishes');
    expect(popup.cannotTryAgain.value).toBe(true);
    await popup.tryAgain();
    expect(count('publish.start')).toBe(1);
  });

  it('can be canceled while the app’s version is loading', async () => {
    const popup = await opened();
    const held = Promise.withResolvers<unknown>();
    responses['publish.preview'] = () => held.promise;
    popup.chooseApp(7);
    expect(popup.previewLoading.value).toBe(true);
    popup.cancelPreview();
    expect(signals.at(-1)?.aborted).toBe(true);
    held.resolve(null);
    await new Promise((resolve) => setImmediate(resolve));
    expect({ loading: popup.previewLoading.value, error: popup.error.value }).toEqual({ loading: false, error: null });
    popup.setChangelog('Faster.');
    expect(popup.disabledReason.value).toBe('Refresh to load the app’s version');
  });

  it('reports that nothing was sent when the worker stopped before it stored the intent', async () => {
    const popup = await opened();
    popup.setChangelog('Faster.');
    responses['publish.start'] = () => new Error('WORKER_UNREACHABLE');
    popup.publish();
    await waitFor('the error', () => popup.error.value?.code === 'PUBLISH_NOT_SENT');
    expect(popup.shown.value).toBeNull();
    expect(popup.draft.changelog.value).toBe('Faster.');
  });

  it('doesn’t claim that nothing was sent if it can’t list what was stored', async () => {
    const popup = await opened();
    popup.setChangelog('Faster.');
    responses['publish.start'] = responses['publish.list'] = () => new Error('WORKER_UNREACHABLE');
    popup.publish();
    await waitFor('the error', () => popup.error.value !== null && !popup.isStarting.value);
    await new Promise((resolve) => setImmediate(resolve));
    expect(popup.error.value?.code).toBe('WORKER_UNREACHABLE');
  });

  it('shows the stored intent when the worker stopped after storing it', async () => {
    const popup = await opened();
    popup.setChangelog('Faster.');
    const { 'publish.start': write } = responses;
    responses['publish.start'] = (order: never) => {
      write!(order);
      return new Error('WORKER_UNREACHABLE');
    };
    popup.publish();
    await waitFor('the intent', () => popup.shown.value !== null);
    await waitFor('no error', () => popup.error.value === null);
  });

  it('shows the running publish that refused this one', async () => {
    const popup = await opened();
    popup.setChangelog('Faster.');
    records = [
      {
        id: 'other',
        environmentId: 'a',
        appId: 7,
        appName: 'Field Service',
        release: { type: 'silent', changelog: 'x' },
        outcome: null,
        seen: false,
        discarded: false,
      } as PublishRecord,
    ];
    responses['publish.start'] = () => new Error('PUBLISH_UNDER_WAY');
    popup.publish();
    await waitFor('the other', () => popup.shown.value?.id === 'other');
    expect(popup.error.value?.code).toBe('PUBLISH_UNDER_WAY');
  });
});

describe('notifications about publish outcomes', () => {
  it('are on when the browser allows them, also the next time the popup opens', async () => {
    const { notifications } = await opened();
    expect(notifications.isOn.value).toBe(false);
    await notifications.set(true);
    expect(notifications.isOn.value).toBe(true);
    const next = make();
    expect(next.notifications.isOn.value).toBeNull();
    await next.open();
    expect(next.notifications.isOn.value).toBe(true);
  });

  it('are turned off by giving up the permission', async () => {
    const { notifications } = await opened();
    await notifications.set(true);
    await notifications.set(false);
    expect(notifications.isOn.value).toBe(false);
    expect(isAllowed).toBe(false);
  });

  it('report a refusal of the browser, and ask again the next time', async () => {
    const { notifications } = await opened();
    acceptsPrompt = false;
    await notifications.set(true);
    expect(notifications.isOn.value).toBe(false);
    expect(notifications.wasRefused.value).toBe(true);
    acceptsPrompt = true;
    await notifications.set(true);
    expect(notifications.isOn.value).toBe(true);
    expect(notifications.wasRefused.value).toBe(false);
  });
});

it('forgets that tokens were locked once they are unlocked', async () => {
  const popup = await opened();
  responses['publish.preview'] = () => new Error('VAULT_LOCKED');
  popup.chooseApp(7);
  await waitFor('the refusal', () => popup.error.value?.code === 'VAULT_LOCKED');
  popup.handleUnlock();
  expect(popup.error.value).toBeNull();
});
