/** Tests that a publish is sent once: its intent is written before the request, its outcome after it. */
import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { describe, expect, it, vi } from 'vitest';
import { EndpointGates } from '../../../../lib/extension/background/handlers/endpoint-gates.ts';
import { badgeOf } from '../../../../lib/extension/background/publish-badge.ts';
import {
  PUBLISHES_NAME,
  PUBLISHES_VERSION,
  createPublishStore,
} from '../../../../lib/extension/background/publish-store.ts';
import { STILL_POSSIBLE } from '../../../../lib/extension/background/publish-settle.ts';
import type { CodedError } from '../../../../lib/platform-api/index.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { json } from '../../rest/bad-platform.ts';
import { fakeLocalArea } from '../../../support/fake-local-area.ts';
import { APP, FIRST, type PublishWorld, eachPublishWorld, failure } from './publish-world.ts';

let world: PublishWorld;
eachPublishWorld((fresh) => (world = fresh));

describe('a publish', () => {
  it('responds when its intent is on disk, sends it with the intent’s key, and stores version and time of the response', async () => {
    const worker = world.worker();
    const started = await worker.start(world.order());
    expect(started).toMatchObject({ outcome: null, sentAt: null, baseUrl: world.http.baseUrl });
    expect(await createPublishStore().list()).toMatchObject([{ id: started.id }]);
    const { outcome, sentAt } = await world.ended(worker, started.id);
    expect(outcome).toMatchObject({
      state: 'published',
      settled: false,
      app: { version: 13, updatedAt: world.app.updatedAt },
    });
    expect(sentAt).toBeGreaterThanOrEqual(started.startedAt);
    expect(world.releases).toEqual([started.id]);
    expect(world.http.requests.find(({ method }) => method === 'POST')?.body).toBe(
      '{"release":{"type":"silent","changelog":"Faster start."}}',
    );
  });

  it('happens once after a double click or from two windows, and the second one is told so', async () => {
    const worker = world.worker();
    const both = await Promise.allSettled([worker.start(world.order()), worker.start(world.order())]);
    expect(
      both.map((each) => (each.status === 'fulfilled' ? 'begun' : (each.reason as CodedError).code)).sort(),
    ).toEqual(['PUBLISH_UNDER_WAY', 'begun']);
    await waitFor('the outcome', async () => (await worker.list())[0]?.outcome);
    expect(world.releases).toHaveLength(1);
  });

  it('happens once when its message arrives twice, even at the next worker', async () => {
    const order = world.order();
    world.fault = (_response, publish) => void publish();
    const first = world.worker();
    const both = await Promise.all([first.start(order), first.start(order)]);
    expect(both).toMatchObject([{ id: order.id }, { id: order.id }]);
    await waitFor('the request', () => world.posts() === 1);
    expect(await world.worker().start(order)).toMatchObject({ id: order.id, outcome: { state: 'unknown' } });
    expect(world.releases).toEqual([order.id]);
  });

  it('can run at the same time as one of another app', async () => {
    const worker = world.worker();
    world.fault = () => {};
    await worker.start(world.order());
    expect(await failure(worker.start(world.order({ appId: 8 })))).toBe('ok');
  });

  it('is never sent once it’s canceled', async () => {
    const store = createPublishStore();
    const worker = world.worker(store);
    const { id } = await worker.start(world.order());
    const held = Promise.withResolvers<void>();
    // The worker reports its records right before it sends the request.
    world.showing = held.promise;
    const canceled = worker.cancel(id);
    await waitFor('the outcome on disk', async () => (await store.list())[0]?.outcome?.state === 'failed');
    held.resolve();
    expect(await canceled).toMatchObject({
      sentAt: null,
      outcome: { state: 'failed', error: { code: 'PUBLISH_CANCELED' } },
    });
    const next = await worker.start(world.order());
    await world.ended(worker, next.id);
    expect(world.releases).toEqual([next.id]);
  });

  it('can’t be canceled after its request was sent', async () => {
    const worker = world.worker();
    world.fault = () => {};
    const { id } = await worker.start(world.order());
    await waitFor('the request', () => world.posts() === 1);
    expect(await worker.cancel(id)).toMatchObject({ sentAt: expect.any(Number), outcome: null });
  });

  it('isn’t sent when the app has changed since the user saw it', async () => {
    const worker = world.worker();
    const order = world.order();
    world.publish();
    const { id } = await worker.start(order);
    expect((await world.ended(worker, id)).outcome).toMatchObject({
      state: 'failed',
      error: {
        code: 'APP_CHANGED',
        message: expect.stringMatching(/ changed at Sun 1 Feb (\d{4} )?\d\d:01 \(version 13\)/),
      },
    });
    const other = await worker.start(world.order({ appId: 9 }));
    expect((await world.ended(worker, other.id)).outcome).toMatchObject({
      state: 'failed',
      error: {
        code: 'NOT_FOUND',
        message: 'Couldn’t find the app: the platform doesn’t list it for this token. Nothing was sent.',
      },
    });
    world.others = [{ ...APP, id: '9' }];
    const unreadable = await worker.start(world.order({ appId: 9 }));
    expect((await world.ended(worker, unreadable.id)).outcome).toMatchObject({
      state: 'failed',
      error: { code: 'ANSWER_INVALID', message: expect.stringMatching(/^Couldn’t read .*\. Nothing was sent\.$/) },
    });
    expect(world.posts()).toBe(0);
  });

  it.each([
    [400, 'REQUEST_REFUSED'],
    [401, 'TOKEN_REFUSED'],
    [403, 'ACCESS_DENIED'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [413, 'REQUEST_TOO_LARGE'],
    [422, 'REQUEST_INVALID'],
    [429, 'RATE_LIMITED'],
  ])('has failed for sure with status %i, and is sent once', async (status, code) => {
    world.fault = (response) => json(response, status, { error: 'NO', message: 'No.' }, { 'retry-after': '0' });
    const worker = world.worker();
    const { id } = await worker.start(world.order());
    expect((await world.ended(worker, id)).outcome).toMatchObject({
      state: 'failed',
      error: { code, status, message: expect.stringMatching(/\.$/), hint: expect.stringMatching(/\.$/) },
    });
    expect(world.posts()).toBe(1);
    world.fault = null;
    expect(await failure(worker.start(world.order()))).toBe('ok');
  });

  it.each([
    ['500', (response: Parameters<NonNullable<PublishWorld['fault']>>[0]) => json(response, 500, {})],
    [
      '502 with HTML',
      (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    ],
    ['503', (response) => void response.writeHead(503, { 'retry-after': '0' }).end()],
    ['an empty 201', (response) => void response.writeHead(201).end()],
    ['JSON of another form', (response) => json(response, 201, { done: true })],
    ['a connection cut before the server acted', (response) => void response.destroy()],
  ] as [string, (response: Parameters<NonNullable<PublishWorld['fault']>>[0]) => void][])(
    'has an unknown outcome after %s, is sent once, and blocks the next one',
    async (_name, respond) => {
      world.fault = respond;
      const worker = world.worker();
      const { id } = await worker.start(world.order());
      expect((await world.ended(worker, id)).outcome).toMatchObject({
        state: 'unknown',
        error: { code: 'OUTCOME_UNKNOWN', hint: expect.any(String) },
      });
      expect(world.posts()).toBe(1);
      expect(await failure(worker.start(world.order()))).toBe('PUBLISH_UNSETTLED');
      expect((await worker.settle(id)).outcome).toMatchObject({
        state: 'unknown',
        error: { message: expect.stringContaining('no change of the app since') },
      });
      expect(await worker.discard(id)).toMatchObject({ discarded: true, outcome: { state: 'unknown' } });
      world.fault = null;
      expect(await failure(worker.start(world.order()))).toBe('ok');
    },
  );

  it('is settled by reading the app again when its connection is lost after the server acted', async () => {
    world.fault = (response, publish) => {
      publish();
      response.destroy();
    };
    const worker = world.worker();
    const { id } = await worker.start(world.order());
    expect((await world.ended(worker, id)).outcome?.state).toBe('unknown');
    expect((await worker.settle(id)).outcome).toMatchObject({
      state: 'published',
      settled: true,
      app: { version: 13 },
    });
    expect((await worker.settle(id)).outcome).toMatchObject({ state: 'published' });
    expect(world.releases).toEqual([id]);
  });

  it('without a trace is failed two minutes after the clock was set back, not when it reaches that time again', async () => {
    world.fault = (response) => response.destroy();
    const worker = world.worker();
    const { id } = await worker.start(world.order());
    await world.ended(worker, id);
    const now = vi.spyOn(Date, 'now');
    const earlier = Date.now() - 3_600_000;
    now.mockReturnValue(earlier);
    expect((await worker.settle(id)).outcome).toMatchObject({ state: 'unknown' });
    now.mockReturnValue(earlier + STILL_POSSIBLE);
    expect((await worker.settle(id)).outcome).toMatchObject({ state: 'failed', error: { code: 'NOT_PUBLISHED' } });
  });

  it('doesn’t claim a release of someone else', async () => {
    world.fault = (response) => {
      world.publish('Of a colleague.');
      response.destroy();
    };
    const worker = world.worker();
    const { id } = await worker.start(world.order());
    await world.ended(worker, id);
    expect((await worker.settle(id)).outcome).toMatchObject({
      state: 'unknown',
      error: { message: expect.stringContaining('version 13 was published with other release notes.') },
    });
    world.log = null;
    expect((await worker.settle(id)).outcome).toMatchObject({
      state: 'unknown',
      error: { message: expect.stringContaining('the app has reached version 13.') },
    });
  });

  it('that happened twice is never shown as published, with and without a log', async () => {
    world.fault = (response, publish) => {
      publish();
      json(response, 201, publish());
    };
    const worker = world.worker();
    const twice = await worker.start(world.order());
    expect((await world.ended(worker, twice.id)).outcome).toMatchObject({
      state: 'unknown',
      error: { code: 'PUBLISHED_TWICE', message: expect.stringContaining('versions 13 and 14') },
    });
    await worker.discard(twice.id);
    world.log = null;
    const other = await worker.start(world.order());
    expect((await world.ended(worker, other.id)).outcome).toMatchObject({
      state: 'unknown',
      error: {
        code: 'OUTCOME_UNKNOWN',
        message: expect.stringContaining('version 14 was the newest seen before, and the response says 16'),
      },
    });
  });

  it('needs nothing beyond the specification, and requests nothing of it after the first 404', async () => {
    world.gates = new EndpointGates(fakeLocalArea(), () => {});
    world.log = null;
    // Someone else publishes, too, so that the log would be read.
    world.fault = (response, publish) => {
      publish();
      json(response, 201, publish());
    };
    const worker = world.worker();
    expect(await worker.preview({ environmentId: 'here', appId: APP.id })).toMatchObject({ audienceError: null });
    const { id } = await worker.start(world.order());
    expect((await world.ended(worker, id)).outcome).toMatchObject({ state: 'unknown' });
    await worker.settle(id);
    const specified = /^\/v1\/apps(\/7\/publish|\/7\/analytics\/sessions\?.*)?$/;
    expect(world.http.requests.map(({ url }) => url).filter((url) => !specified.test(url))).toEqual(['/v1/clock']);
  });

  it('whose outcome can’t be stored is ended with that outcome by the next list', async () => {
    let fails = true;
    const store = createPublishStore();
    const worker = world.worker({
      ...store,
      change: (id, update) =>
        store.change(id, (record) => {
          const changed = update(record);
          if (fails && changed.outcome) throw new DOMException('full', 'QuotaExceededError');
          return changed;
        }),
    });
    const { id } = await worker.start(world.order());
    await waitFor('the failure', () => failure(worker.list()).then((code) => code === 'PUBLISHES_FULL'));
    fails = false;
    expect(await worker.list()).toMatchObject([{ id, outcome: { state: 'published', app: { version: 13 } } }]);
  });

  it('shows a badge until it was seen', async () => {
    const worker = world.worker();
    const { id } = await worker.start(world.order());
    const record = await world.ended(worker, id);
    expect(badgeOf([record])?.text).toBe('✓');
    await worker.markSeen([id]);
    expect(badgeOf(await worker.list())).toBeNull();
    expect(world.marks).toContain('running');
    const unseen = (outcome: unknown) => ({ ...record, outcome }) as typeof record;
    const unknown = (code: string) => unseen({ state: 'unknown', error: { code } });
    expect(badgeOf([record, unseen({ state: 'failed' }), unknown('OUTCOME_UNKNOWN')])?.text).toBe('?');
    expect(badgeOf([unknown('OUTCOME_UNKNOWN'), unknown('PUBLISHED_TWICE')])?.title).toBe(
      'Update possibly published twice',
    );
    expect(badgeOf([record, unseen({ state: 'failed' })])?.text).toBe('!');
    expect(badgeOf([unseen(null)])?.text).toBe('…');
  });

  it('shows a badge after the worker was killed between its outcome and the badge, once the next worker starts', async () => {
    const worker = world.worker();
    await world.ended(worker, (await worker.start(world.order())).id);
    await waitFor('the mark of the first', () => world.marks.at(-1) === 'published');
    world.marks.length = 0;
    const next = world.worker();
    await next.list();
    await next.list();
    expect(world.marks).toEqual(['published']);
  });

  it('blocks the next one while its outcome is unseen, since both could be the same', async () => {
    const worker = world.worker();
    const { id } = await worker.start(world.order());
    await world.ended(worker, id);
    expect(await failure(worker.start(world.order()))).toBe('PUBLISH_UNSEEN');
    await worker.markSeen([id]);
    expect(await failure(worker.start(world.order()))).toBe('ok');
  });

  it('is forgotten with its environment', async () => {
    const worker = world.worker();
    const { id } = await worker.start(world.order());
    await world.ended(worker, id);
    await worker.forget('elsewhere');
    expect(await worker.list()).toHaveLength(1);
    await worker.forget('here');
    expect(await worker.list()).toEqual([]);
  });
});

describe('a worker that was killed', () => {
  it('before anything was sent leaves a publish that certainly didn’t happen', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const app = { ...world.app };
    world.http.respond(
      (request, response) =>
        void held.then(() =>
          request.method === 'GET' ? json(response, 200, { apps: [app] }) : json(response, 500, {}),
        ),
    );
    const store = createPublishStore();
    const { promise: about, resolve: isAbout } = Promise.withResolvers<void>();
    const { id } = await world
      .worker({ ...store, change: (...change) => store.change(...change).finally(isAbout) })
      .start(world.order());
    const second = world.worker();
    expect((await second.list())[0]).toMatchObject({
      id,
      outcome: { state: 'failed', error: { code: 'PUBLISH_NOT_SENT' } },
    });
    // The publish stays settled, even if the first worker continues.
    letGo();
    await about;
    await second.preview({ environmentId: 'here', appId: 7 }).catch(() => {});
    expect((await second.list())[0]).toMatchObject({ sentAt: null, outcome: { state: 'failed' } });
    expect(world.posts()).toBe(0);
  });

  it('after the request was sent leaves an unknown outcome, and the next worker never sends it again', async () => {
    world.fault = (_response, publish) => void publish();
    const { id } = await world.worker().start(world.order());
    await waitFor('the request', () => world.posts() === 1);
    const second = world.worker();
    expect((await second.list())[0]).toMatchObject({ id, outcome: { state: 'unknown' }, seen: false });
    expect(await failure(second.start(world.order()))).toBe('PUBLISH_UNSETTLED');
    expect((await second.settle(id)).outcome).toMatchObject({
      state: 'published',
      settled: true,
      app: { version: 13 },
    });
    expect(world.posts()).toBe(1);
  });
});

describe('a worker that follows one that was killed', () => {
  it('responds only after it has shown the outcomes of an earlier worker', async () => {
    world.fault = (_response, publish) => void publish();
    await world.worker().start(world.order());
    await waitFor('the request', () => world.posts() === 1);
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    world.showing = held;
    const next = world.worker();
    const first = next.list();
    await waitFor('its outcome on disk', async () => (await createPublishStore().list())[0]?.outcome);
    const second = next.list().then(() => [...world.marks]);
    // Long enough for a response that waits only for the disk.
    await createPublishStore().list();
    await createPublishStore().list();
    letGo();
    await first;
    expect((await second).at(-1)).toBe('unknown');
  });
});

describe('the store', () => {
  it('of a newer version is left unchanged, and nothing is sent', async () => {
    (await openDB(PUBLISHES_NAME, PUBLISHES_VERSION + 1)).close();
    expect(await failure(world.worker().start(world.order()))).toBe('PUBLISHES_NEWER');
    expect(world.posts()).toBe(0);
    expect((await openDB(PUBLISHES_NAME)).version).toBe(PUBLISHES_VERSION + 1);
  });

  it('quarantines a damaged record unchanged', async () => {
    const worker = world.worker();
    const { id } = await worker.start(world.order());
    await world.ended(worker, id);
    const db = await openDB(PUBLISHES_NAME);
    await db.put('publishes', { id: 'damaged', outcome: 7 });
    expect((await worker.list()).map((record) => record.id)).toEqual([id]);
    expect(await db.getAllKeys('publishes')).toEqual([id]);
    expect(await db.getAll('aside')).toEqual([
      { store: 'publishes', key: 'damaged', record: { id: 'damaged', outcome: 7 }, at: expect.any(Number) },
    ]);
    db.close();
  });

  it.each([Infinity, 8.64e15 + 1])('quarantines a record with an invalid time: %f', async (startedAt) => {
    const worker = world.worker();
    const { id } = await worker.start(world.order());
    const whole = await world.ended(worker, id);
    const db = await openDB(PUBLISHES_NAME);
    await db.put('publishes', { ...whole, id: 'damaged', startedAt });
    expect((await worker.list()).map((record) => record.id)).toEqual([id]);
    db.close();
  });

  it('of version 1 is read completely', async () => {
    const written = {
      id: 'p1',
      environmentId: 'here',
      baseUrl: 'https://api.example.com',
      appId: 7,
      appName: 'Field Service',
      release: { type: 'forced', changelog: 'Faster start.' },
      expected: { version: 12, updatedAt: FIRST },
      startedAt: 1,
      sentAt: 2,
      outcome: { state: 'published', at: 3, app: { version: 13, updatedAt: FIRST }, settled: false },
      seen: true,
      discarded: false,
    };
    const db = await openDB(PUBLISHES_NAME, 1, {
      upgrade: (first) => void first.createObjectStore('publishes', { keyPath: 'id' }),
    });
    await db.put('publishes', written);
    await db.put('publishes', { ...written, id: 'p2', startedAt: 5, outcome: null, sentAt: null });
    db.close();
    expect(await createPublishStore().list()).toEqual([
      { ...written, id: 'p2', startedAt: 5, outcome: null, sentAt: null, told: false },
      { ...written, told: false },
    ]);
  });

  it.each([
    [
      'damaged: a part of it is missing',
      'PUBLISHES_DAMAGED',
      async () =>
        (
          await openDB(PUBLISHES_NAME, PUBLISHES_VERSION, {
            upgrade: (db) => void db.createObjectStore('publishes', { keyPath: 'id' }),
          })
        ).close(),
    ],
    [
      'not to be had',
      'PUBLISHES_UNAVAILABLE',
      () =>
        void vi.spyOn(indexedDB, 'open').mockImplementation(() => {
          throw new DOMException('no', 'SecurityError');
        }),
    ],
    [
      'full',
      'PUBLISHES_FULL',
      () =>
        void vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
          throw new DOMException('full', 'QuotaExceededError');
        }),
    ],
  ])('that is %s is reported, and nothing is sent', async (_what, code, make) => {
    await make();
    expect(await failure(world.worker().start(world.order()))).toBe(code);
    expect(world.posts()).toBe(0);
  });

  it('that another page blocks from upgrading is reported, and nothing is sent', async () => {
    const held = await openDB(PUBLISHES_NAME, 1, {
      upgrade: (db) => void db.createObjectStore('publishes', { keyPath: 'id' }),
    });
    expect(await failure(world.worker(createPublishStore(PUBLISHES_NAME, 20)).start(world.order()))).toBe(
      'PUBLISHES_BLOCKED',
    );
    held.close();
    expect(await failure(world.worker().start(world.order()))).toBe('ok');
  });
});

describe('before publishing', () => {
  const session = (id: number, email: string | null, currentVersion: number, lastAccessedAt = FIRST) =>
    ({
      id,
      lastAccessedAt,
      user: email === null ? null : { email },
      appVersion: { currentVersion, latestVersion: 12 },
    }) as PublishWorld['sessions'][number];

  it('the version and the number of users are shown, and how many are two or more versions behind', async () => {
    world.sessions = [
      session(1, 'a@example.com', 9),
      session(2, 'a@example.com', 12, '2026-02-02T00:00:00Z'),
      session(3, 'b@example.com', 10),
      session(4, null, 11),
      session(5, null, 3),
    ];
    expect(await world.worker().preview({ environmentId: 'here', appId: 7 })).toEqual({
      appId: 7,
      name: 'Field Service',
      current: { version: 12, updatedAt: FIRST },
      isFromSessions: false,
      audience: { users: 4, behind: 2 },
      audienceError: null,
    });
  });

  it('sessions dated in the future don’t count, by the platform’s virtual clock if it has one', async () => {
    const future = new Date(Date.now() + 30 * 86_400_000).toISOString();
    world.sessions = [session(1, 'a@example.com', 12), session(2, 'a@example.com', 3, future)];
    const behind = async () => (await world.worker().preview({ environmentId: 'here', appId: 7 })).audience?.behind;
    expect(await behind()).toBe(0);
    world.clock = future;
    expect(await behind()).toBe(1);
  });

  it('users are counted even when the sessions need several pages', async () => {
    world.sessions = Array.from({ length: 12_000 }, (_, id) =>
      session(id, `user${id % 11_000}@example.com`, id < 11_000 ? 12 : 9, id < 11_000 ? FIRST : '2026-02-02T00:00:00Z'),
    );
    expect(await world.worker().preview({ environmentId: 'here', appId: 7 })).toMatchObject({
      audience: { users: 11_000, behind: 1_000 },
    });
    expect(world.http.requests.filter(({ url }) => url.includes('/sessions'))).toHaveLength(1);
  });

  it('sessions that can’t be loaded are reported with the reason', async () => {
    world.sessions = [{ id: 1.5 }] as unknown as PublishWorld['sessions'];
    expect(await world.worker().preview({ environmentId: 'here', appId: 7 })).toMatchObject({
      current: { version: 12 },
      audience: null,
      audienceError: { code: expect.any(String), message: expect.stringMatching(/\.$/) },
    });
  });

  it('the version comes from the sessions if the platform lists none, or else from the last publish of this extension', async () => {
    world.app.version = null;
    const worker = world.worker();
    const readVersion = async () => {
      const { current, isFromSessions } = await worker.preview({ environmentId: 'here', appId: 7 });
      return [current.version, isFromSessions];
    };
    expect(await readVersion()).toEqual([null, false]);
    world.sessions = [session(1, null, 4)];
    expect(await readVersion()).toEqual([12, true]);
    world.fault = (response, publish) =>
      json(response, 201, { app: { ...(publish() as { app: object }).app, version: 21 } });
    const { id } = await worker.start(world.order());
    await world.ended(worker, id);
    world.app.version = null;
    expect(await readVersion()).toEqual([21, false]);
  });
});
