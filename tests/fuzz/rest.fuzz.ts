/** Fuzzes the REST client: any response becomes a value or a coded error, in time, and never reveals the token. */
import * as fc from 'fast-check';
import * as rest from '../../lib/rest/index.ts';
import { assertCoded, check, Finding } from './check.ts';
import { damaged, json, spoiled, word } from './inputs.ts';

export const name = 'rest';

const TOKEN = 'secret-token-0123456789';
const CONNECTION: rest.Connection = { baseUrl: 'https://api.example.com', token: TOKEN };
const APP = { appId: 7 };
const ACTION = { ...APP, actionId: 3 };
const OPERATIONS: Record<string, () => Promise<unknown>> = {
  listApps: () => rest.listApps(CONNECTION),
  listSessions: () => rest.listSessions(CONNECTION, { ...APP, limit: 5 }),
  publishRelease: () =>
    rest.publishRelease(CONNECTION, { ...APP, release: { type: 'silent', changelog: 'x' }, idempotencyKey: 'k' }),
  checkPage: () => rest.checkPage(CONNECTION, { path: '/v1/apps/7/tasks/9/compile?html', title: 'debug page' }),
  listFunctions: () => rest.listFunctions(CONNECTION),
  listActions: () => rest.listActions(CONNECTION, APP),
  createAction: () => rest.createAction(CONNECTION, { ...APP, action: { name: 'a' } as never }),
  updateAction: () => rest.updateAction(CONNECTION, { ...ACTION, change: { name: 'b' } as never }),
  removeAction: () => rest.removeAction(CONNECTION, ACTION),
  publishAction: () => rest.publishAction(CONNECTION, { ...ACTION, publish: true, revision: 2 }),
  runAction: () => rest.runAction(CONNECTION, { ...ACTION, payload: {} }),
  runWithResult: () => rest.runWithResult(CONNECTION, { ...ACTION, payload: {} }),
  listLogs: () => rest.listLogs(CONNECTION, { ...APP, query: { limit: 5, where: { type: 'x' } } }),
  createLog: () => rest.createLog(CONNECTION, { ...APP, log: { type: 'x' } }),
  listDataSources: () => rest.listDataSources(CONNECTION, APP),
  readClock: () => rest.readClock(CONNECTION),
  moveClock: () => rest.moveClock(CONNECTION, { to: '2026-11-20T12:00:00Z' }),
};

const TIME = '2026-11-20T12:00:00.000Z';
const ACTION_ANSWER = {
  id: 3,
  name: 'a',
  active: true,
  frequency: null,
  timezone: null,
  environment: 'server',
  triggers: [{ trigger: 'log', where: { type: 'x' } }],
  functions: [{}],
  pageId: null,
  lastRunAt: null,
  nextRunAt: TIME,
  createdAt: TIME,
  updatedAt: TIME,
  appId: 7,
  published: null,
  revision: 2,
};
const ANSWERS = [
  {
    apps: [
      {
        id: 7,
        name: 'A',
        icon: '',
        version: 3,
        settings: { a: 1 },
        releases: [],
        dependencies: [],
        slug: 'a',
        createdAt: TIME,
        updatedAt: TIME,
        deletedAt: null,
        organizationId: 1,
        startingPageId: null,
        productionAppId: null,
        appUser: { appRoleId: 1, appId: 7, userId: 1 },
      },
    ],
  },
  {
    sessions: [
      {
        id: 1,
        identifier: {
          os: { major: '1', family: 'x' },
          device: { family: 'y' },
          browser: { major: '1', minor: '2', family: 'z' },
          ipAddress: null,
          userAgent: 'u',
        },
        lastAccessedAt: TIME,
        user: { email: 'a@b.example' },
        appVersion: { isManualCheck: true, lastCheckedAt: TIME, latestVersion: 3, currentVersion: 2 },
      },
    ],
  },
  { app: { version: 4, id: 7, updatedAt: TIME } },
  { functions: [{ id: 1, name: 'f', package: 'p', description: 'd' }] },
  { actions: [ACTION_ANSWER] },
  { action: ACTION_ANSWER },
  { runId: 'r1' },
  { result: { a: [1, 2] } },
  {
    count: 1,
    logs: [{ id: 1, appId: 7, organizationId: 1, type: 'x', data: { mode: 'live', duration: 3 }, createdAt: TIME }],
  },
  { log: { id: 1, appId: 7, type: 'x', createdAt: TIME } },
  { dataSources: [{ id: 1, name: 'd', columns: ['c'] }] },
  { now: TIME, virtual: true },
  { now: TIME, virtual: true, queued: 0 },
  { error: 'NAME_TAKEN', message: `There is one already, ${TOKEN}.`, details: [{ path: '/name', message: 'taken' }] },
  {
    error: 'ACTION_FAILED',
    message: 'It failed.',
    details: { errorType: 'Error', errorMessage: 'm', trace: ['a', `at ${TOKEN}`] },
  },
  '<!doctype html><title>x</title>',
  { error: 'constructor', message: 'm', details: { errorType: 'Error', errorMessage: 'm', trace: [] } },
];
const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const encoder = new TextEncoder();
const body = fc.oneof(
  { weight: 3, arbitrary: spoiled(ANSWERS, json).map((value) => encoder.encode(text(value))) },
  { weight: 3, arbitrary: damaged(ANSWERS.map(text)).map((value) => encoder.encode(value)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...ANSWERS.map(text)), fc.nat(), fc.nat({ max: 255 }))
      .map(([value, at, byte]) =>
        encoder.encode(value).map((each, index, all) => (index === at % all.length ? byte : each)),
      ),
  },
);
const header = fc.tuple(
  fc.constantFrom('retry-after', 'content-type', 'content-length', 'location', 'x-a', 'date'),
  fc.oneof(
    word,
    fc.constantFrom(
      '3',
      '0',
      '-1',
      '1e9',
      '99999999999999999999',
      'Thu, 01 Jan 1970 00:00:00 GMT',
      'Fri, 31 Dec 9999 23:59:59 GMT',
      'text/html',
      'application/json; charset=utf-16',
    ),
  ),
);
const response = fc.record({
  status: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(200, 201, 202, 204, 304, 400, 401, 409, 422, 424, 429, 500, 503) },
    fc.integer({ min: 200, max: 599 }),
  ),
  headers: fc.array(header, { maxLength: 3 }),
  body,
  /** Bytes of one piece. */
  piece: fc.constantFrom(1, 7, 1_000, 1_000_000),
  /** How the body, or the exchange, ends. */
  end: fc.constantFrom('whole', 'whole', 'whole', 'whole', 'breaks', 'refused', 'opaque', 'empty'),
});
type ApiResponse = typeof response extends fc.Arbitrary<infer T> ? T : never;

export async function fuzz(runs: number, seed: number): Promise<void> {
  const {
    fetch,
    setTimeout,
    Date: { now },
  } = globalThis;
  const monotonic = performance.now;
  // Waiting takes no time here: it advances a separate clock.
  let time = now();
  Date.now = performance.now = () => time;
  globalThis.setTimeout = ((work: () => void, milliseconds = 0) => {
    time += milliseconds;
    return setImmediate(work);
  }) as unknown as typeof setTimeout;
  try {
    await check(
      runs,
      seed,
      fc.record({
        operation: fc.constantFrom(...Object.keys(OPERATIONS)),
        responses: fc.array(response, { minLength: 1, maxLength: 3 }),
      }),
      async ({ operation, responses }) => {
        let requestCount = 0;
        const startedAt = time;
        globalThis.fetch = () => {
          const next = responses[Math.min(requestCount++, responses.length - 1)]!;
          time += 1;
          return next.end === 'refused'
            ? Promise.reject(new TypeError('fetch failed'))
            : Promise.resolve(respond(next));
        };
        try {
          await OPERATIONS[operation]!();
        } catch (error) {
          assertCoded(error);
          if (JSON.stringify((error as { value: unknown }).value).includes(TOKEN))
            throw new Finding('An error tells the token.');
        }
        if (requestCount > 200) throw new Finding(`${requestCount} requests for one operation.`);
        if (time - startedAt > 200_000) throw new Finding(`${operation} took ${time - startedAt} ms.`);
      },
    );
  } finally {
    Object.assign(globalThis, { fetch, setTimeout });
    Date.now = now;
    performance.now = monotonic;
  }
}

function respond({ status, headers, body, piece, end }: ApiResponse): Response {
  if (end === 'opaque')
    return Object.defineProperty(new Response(null, { status: 200 }), 'type', { value: 'opaqueredirect' });
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody && end !== 'empty' ? stream(body, piece, end === 'breaks') : null, {
    status,
    headers: headers.flatMap(([name, value]) => (isHeader(value) ? [[name, value] as [string, string]] : [])),
  });
}

function isHeader(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value);
}

function stream(bytes: Uint8Array, piece: number, breaks: boolean): ReadableStream<Uint8Array> {
  let at = 0;
  // Single bytes for the first hundred, which is where it matters.
  return new ReadableStream({
    pull(controller) {
      if (breaks && at >= bytes.length / 2) return controller.error(new TypeError('terminated'));
      if (at >= bytes.length) return controller.close();
      const next = at + (at > 100 ? Math.max(piece, 1_000) : piece);
      controller.enqueue(bytes.subarray(at, next));
      at = next;
    },
  });
}
