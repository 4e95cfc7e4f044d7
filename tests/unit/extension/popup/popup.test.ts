/** Owns the proof that the popup keeps what was written, asks before it matters, and tells every outcome. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { App } from '../../../../lib/platform-api/app.ts';
import type { Environment } from '../../../../lib/extension/messaging/model/environment.ts';
import type { PublishRecord } from '../../../../lib/extension/messaging/model/publishing.ts';
import { until } from '../../../../lib/browser-driver/until.ts';
import type { MessageName, Send } from '../../../../lib/extension/messaging/protocol.ts';
import { createKept } from '../../../../lib/extension/popup/kept.ts';
import { createPopup } from '../../../../lib/extension/popup/popup.ts';

const APPS = [
  { id: 7, name: 'Field Service', version: 12, updatedAt: 't12', deletedAt: null },
  { id: 8, name: 'Old', version: 1, updatedAt: 't', deletedAt: 't' },
] as unknown as App[];
let stored: Map<string, string>;
let environments: Environment[];
let records: PublishRecord[];
let asked: [name: MessageName, takes: unknown][];
let answers: Partial<Record<MessageName, (takes: never) => unknown>>;
/** Of the previews that were asked for: whether they are still waited for. */
let signals: AbortSignal[];
let clock: number;
let waiting: (() => void)[];
/** What the browser’s question is answered with, and what it has allowed. */
let saysYes: boolean;
let allowed: boolean;

beforeEach(() => {
  stored = new Map();
  environments = [
    { id: 'a', name: 'Local', production: false },
    { id: 'b', name: 'Live', production: true },
  ] as Environment[];
  records = [];
  asked = [];
  signals = [];
  waiting = [];
  saysYes = true;
  allowed = false;
  clock = 1_000_000;
  answers = {
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

const memory = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};
const send = ((name, takes, signal) => {
  asked.push([name, takes]);
  if (signal) signals.push(signal);
  const value = answers[name]?.(takes as never);
  if (value instanceof Promise)
    return value.then(() => ({ ok: false, error: { code: 'ABORTED', message: 'The request was cancelled.' } }));
  return Promise.resolve(
    value instanceof Error ? { ok: false, error: { code: value.message, message: 'No.' } } : { ok: true, value },
  );
}) as Send;
const make = () =>
  createPopup({
    send,
    kept: createKept(memory),
    now: () => clock,
    later: (work) => {
      waiting.push(work);
      return () => {};
    },
    notices: {
      isAllowed: () => Promise.resolve(allowed),
      allow: () => Promise.resolve((allowed ||= saysYes)),
      giveUp: () => Promise.resolve(!(allowed = false)),
    },
  });
const opened = async (appId = 7) => {
  const popup = make();
  await popup.open();
  await until('the environments', () => popup.environmentsRead.value);
  popup.chooseApp(appId);
  await until('the app', () => popup.preview.value !== null);
  return popup;
};
const count = (name: MessageName) => asked.filter(([one]) => one === name).length;

describe('opening', () => {
  it('shows what was kept at once, with its age, and reads old apps again', async () => {
    (await opened()).setChangelog('Half');
    clock += 60_000;
    asked = [];
    const popup = make();
    expect([
      popup.environment.value?.name,
      popup.app.value?.name,
      popup.changelog.value,
      popup.known.value?.at,
    ]).toEqual(['Local', 'Field Service', 'Half', 1_000_000]);
    await popup.open();
    expect(count('apps.list')).toBe(0);
    clock += 3_600_000;
    await make().open();
    expect(count('apps.list')).toBe(1);
  });

  it('leaves out deleted apps, and copes with anything in its memory', async () => {
    expect((await opened()).known.value?.apps.map(({ id }) => id)).toEqual([7]);
    for (const key of stored.keys()) stored.set(key, '{"at":');
    expect((await opened()).app.value?.name).toBe('Field Service');
    for (const key of stored.keys()) stored.set(key, '[null, 7]');
    expect((await opened()).app.value?.name).toBe('Field Service');
  });

  it('goes where a publish is open or unseen, unless the person has begun', async () => {
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
    await until('the outcome', () => popup.shown.value !== null);
    expect([popup.environment.value?.id, popup.appId.value]).toEqual(['b', 9]);
    expect(asked.filter(([name]) => name === 'publish.seen')).toEqual([['publish.seen', { ids: ['r'] }]]);
  });

  it('keeps what is written in the place of the apps when the browser stores no more, and says when even that cannot be', async () => {
    const popup = await opened();
    let room = [...stored].reduce((sum, [, value]) => sum + value.length, 0);
    const put = vi.spyOn(memory, 'setItem').mockImplementation((key, value) => {
      const others = [...stored].reduce((sum, [name, text]) => sum + (name === key ? 0 : text.length), 0);
      if (others + value.length > room) throw new DOMException('full', 'QuotaExceededError');
      stored.set(key, value);
    });
    popup.setChangelog('Faster start.');
    expect(popup.error.value).toBeNull();
    expect(make().changelog.value).toBe('Faster start.');
    expect(popup.known.value?.apps).toHaveLength(1);
    room = 0;
    popup.setChangelog('Faster start, and more.');
    expect(popup.error.value).toMatchObject({
      code: 'DRAFT_NOT_KEPT',
      message: expect.stringContaining('gone when the popup closes'),
    });
    put.mockRestore();
    popup.setChangelog('Faster start, and more!');
    expect(popup.error.value).toBeNull();
    expect(make().changelog.value).toBe('Faster start, and more!');
  });

  it('reads an app anew when it is told to, and waits no more for what was asked before', async () => {
    const popup = await opened();
    const held = Promise.withResolvers<unknown>();
    const before = answers['publish.preview']!;
    answers['publish.preview'] = () => held.promise;
    popup.chooseApp(7);
    answers['publish.preview'] = before;
    await popup.refresh();
    expect(signals.slice(-2).map(({ aborted }) => aborted)).toEqual([true, false]);
    held.resolve(null);
    await new Promise((resolve) => setImmediate(resolve));
    expect([popup.preview.value?.current.version, popup.readingPreview.value, popup.error.value]).toEqual([
      12,
      false,
      null,
    ]);
  });

  it('tells what cannot be read, and keeps what was there', async () => {
    await opened();
    clock += 3_600_000;
    answers['apps.list'] = () => new Error('PLATFORM_UNREACHABLE');
    const popup = make();
    await popup.open();
    await until('the error', () => popup.error.value?.code === 'PLATFORM_UNREACHABLE');
    expect(popup.app.value?.name).toBe('Field Service');
  });
});

describe('publishing', () => {
  it('needs an app, notes and what is there now', async () => {
    const popup = make();
    expect(popup.cannotPublish.value).toBe('Choose an environment first.');
    const ready = await opened();
    expect(ready.cannotPublish.value).toBe('Say what the update changes.');
    ready.setChangelog('  \n ');
    expect(ready.cannotPublish.value).toBe('Say what the update changes.');
    ready.setChangelog('Faster.');
    await until('all to be read', () => ready.cannotPublish.value === null);
    ready.online.value = false;
    expect(ready.cannotPublish.value).toBe('This machine is offline.');
  });

  it.each([
    ['a', 'silent', 0],
    ['a', 'visible', 0],
    ['a', 'forced', 1],
    ['b', 'silent', 1],
  ] as const)('in environment %s, %s, takes %i second step', async (environment, type, steps) => {
    const popup = await opened();
    if (environment === 'b') {
      await popup.chooseEnvironment('b');
      popup.chooseApp(7);
      await until('the app', () => popup.preview.value !== null);
    }
    popup.setType(type);
    popup.setChangelog('Faster.');
    popup.publish();
    expect([popup.confirming.value, count('publish.start')]).toEqual([steps === 1, 1 - steps]);
    if (steps === 0) return;
    popup.setChangelog('Another thing.');
    expect(popup.confirming.value).toBe(false);
    popup.publish();
    popup.publish();
    expect(count('publish.start')).toBe(1);
  });

  it('is sent once by a double click, looks until it has ended, then forgets the draft', async () => {
    const popup = await opened();
    popup.setChangelog('Faster.');
    popup.publish();
    popup.publish();
    await until('it to be under way', () => waiting.length > 0);
    expect(count('publish.start')).toBe(1);
    expect(asked.find(([name]) => name === 'publish.start')?.[1]).toMatchObject({
      environmentId: 'a',
      appId: 7,
      release: { type: 'silent', changelog: 'Faster.' },
      expected: { version: 12, updatedAt: 't12' },
    });
    records = records.map((record) => ({
      ...record,
      outcome: { state: 'published', at: 1, settled: false, app: { version: 13, updatedAt: 't13' } },
    }));
    waiting.splice(0).forEach((look) => look());
    await until('the outcome', () => popup.shown.value?.outcome?.state === 'published');
    expect(popup.changelog.value).toBe('');
    await popup.another();
    popup.chooseApp(7);
    expect(popup.shown.value).toBeNull();
    expect(popup.recent.value).toEqual(['Faster.']);
    expect(make().changelog.value).toBe('');
  });

  it('whose worker stopped before it wrote anything was not sent, and says so', async () => {
    const popup = await opened();
    popup.setChangelog('Faster.');
    answers['publish.start'] = () => new Error('WORKER_UNREACHABLE');
    popup.publish();
    await until('the error', () => popup.error.value?.code === 'PUBLISH_NOT_SENT');
    expect([popup.shown.value, popup.changelog.value]).toEqual([null, 'Faster.']);
  });

  it('whose worker stopped after it wrote the intent shows that one', async () => {
    const popup = await opened();
    popup.setChangelog('Faster.');
    const { 'publish.start': write } = answers;
    answers['publish.start'] = (order: never) => {
      write!(order);
      return new Error('WORKER_UNREACHABLE');
    };
    popup.publish();
    await until('the intent', () => popup.shown.value !== null);
    await until('no error', () => popup.error.value === null);
  });

  it('that is refused because another goes first shows that one', async () => {
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
    answers['publish.start'] = () => new Error('PUBLISH_UNDER_WAY');
    popup.publish();
    await until('the other', () => popup.shown.value?.id === 'other');
    expect(popup.error.value?.code).toBe('PUBLISH_UNDER_WAY');
  });
});

describe('a notification of how it ended', () => {
  it('is as the browser allows it, also the next time', async () => {
    const popup = make();
    expect(popup.tells.value).toBeNull();
    await popup.open();
    expect(popup.tells.value).toBe(false);
    await popup.setTells(true);
    expect([popup.tells.value, popup.tellsRefused.value]).toEqual([true, false]);
    const next = make();
    await next.open();
    expect(next.tells.value).toBe(true);
    await next.setTells(false);
    expect([next.tells.value, allowed]).toEqual([false, false]);
  });

  it('that the browser refuses is told, and asked for again when the person wants it again', async () => {
    const popup = await opened();
    saysYes = false;
    await popup.setTells(true);
    expect([popup.tells.value, popup.tellsRefused.value]).toEqual([false, true]);
    saysYes = true;
    await popup.setTells(true);
    expect([popup.tells.value, popup.tellsRefused.value]).toEqual([true, false]);
  });
});
