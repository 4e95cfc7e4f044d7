/** Fixtures for tests of publishing: a real store, real HTTP, and a platform that counts its releases. */
import { IDBFactory } from 'fake-indexeddb';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, vi } from 'vitest';
import { Publisher, type PublishOrder } from '../../../../lib/extension/background/publish.ts';
import type { EndpointGates } from '../../../../lib/extension/background/handlers/endpoint-gates.ts';
import { SessionPages } from '../../../../lib/extension/background/session-pages.ts';
import { Coalescer } from '../../../../lib/extension/background/coalesce.ts';
import { createPublishStore } from '../../../../lib/extension/background/publish-store.ts';
import type { AnalyticsSession } from '../../../../lib/platform-api/index.ts';
import { CodedError } from '../../../../lib/platform-api/index.ts';
import type { PublishRecord } from '../../../../lib/extension/messaging/model/publishing.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { json, startBadPlatform } from '../../rest/bad-platform.ts';

export const APP = {
  id: 7,
  name: 'Field Service',
  createdAt: '2026-01-01T00:00:00Z',
  organizationId: 1,
  deletedAt: null,
};
export const FIRST = '2026-02-01T10:00:00.000Z';

export async function startPublishWorld() {
  const http = await startBadPlatform();
  const world = {
    http,
    app: { ...APP, version: 12 as number | null, updatedAt: FIRST },
    /** Other items of the list of apps. */
    others: [] as unknown[],
    sessions: [] as Partial<AnalyticsSession>[],
    /** The time of a virtual clock. */
    clock: null as string | null,
    /** Idempotency keys of the created releases. */
    releases: [] as (string | undefined)[],
    /** Replaces the response to a publish; calling `publish` creates the release first. */
    fault: null as ((response: ServerResponse, publish: () => object) => void) | null,
    marks: [] as string[],
    /** Log records of releases. Null: the platform has no log. */
    log: [] as { version: number | null; type: string; changelog: string }[] | null,
    /** Decides which requests beyond the specification are sent. Default: all. */
    gates: undefined as EndpointGates | undefined,
    /** What showing a notification waits for. */
    showing: Promise.resolve(),
    publish(changelog = 'Faster start.') {
      world.app = {
        ...world.app,
        version: (world.app.version ?? 0) + 1,
        updatedAt: new Date(Date.parse(world.app.updatedAt) + 60_000).toISOString(),
      };
      world.log?.unshift({ version: world.app.version, type: 'silent', changelog });
      return { app: { id: APP.id, version: world.app.version, updatedAt: world.app.updatedAt } };
    },
    posts: () => http.requests.filter(({ method }) => method === 'POST').length,
    /** A worker. Another one simulates a restart after the browser killed it. */
    worker: (store = createPublishStore()): Publisher =>
      new Publisher({
        store,
        connect: async () => ({
          baseUrl: http.baseUrl,
          token: 'secret-token-1234567890',
          gate: world.gates?.at(http.baseUrl, async () => []),
        }),
        sessions: new SessionPages(new Coalescer()),
        onRequest: () => {},
        onChange: (records) =>
          world.showing.then(
            () => void world.marks.push(records.map(({ outcome }) => outcome?.state ?? 'running').join()),
          ),
      }),
    order: (part: Partial<PublishOrder> = {}): PublishOrder => ({
      id: crypto.randomUUID(),
      environmentId: 'here',
      appId: APP.id,
      appName: APP.name,
      release: { type: 'silent', changelog: 'Faster start.' },
      expected: { version: world.app.version, updatedAt: world.app.updatedAt },
      ...part,
    }),
    ended: (worker: Publisher, id: string): Promise<PublishRecord> =>
      waitFor('an outcome', async () => (await worker.list()).find((one) => one.id === id && one.outcome !== null)),
    close: () => http.close(),
  };
  http.respond((request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/v1/apps') return json(response, 200, { apps: [world.app, ...world.others] });
    if (request.url === '/v1/clock')
      return world.clock ? json(response, 200, { now: world.clock, virtual: true }) : json(response, 404, {});
    if (request.url?.includes('/logs?')) {
      const logs = world.log?.map((data, id) => ({ id, appId: APP.id, createdAt: FIRST, type: 'app.publish', data }));
      return logs ? json(response, 200, { count: logs.length, logs }) : json(response, 404, {});
    }
    if (request.url?.includes('/sessions?')) return json(response, 200, { sessions: world.sessions });
    const publish = () => {
      world.releases.push(request.headers['idempotency-key']?.toString());
      return world.publish();
    };
    if (world.fault) world.fault(response, publish);
    else json(response, 201, publish());
  });
  return world;
}
export type PublishWorld = Awaited<ReturnType<typeof startPublishWorld>>;

/** Gives each test of a file its own fixtures, with an empty database. */
export function eachPublishWorld(take: (world: PublishWorld) => void): void {
  let world: PublishWorld;
  beforeEach(async () => {
    globalThis.indexedDB = new IDBFactory();
    take((world = await startPublishWorld()));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await world.close();
  });
}

export const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof CodedError ? error.code : error),
  );
