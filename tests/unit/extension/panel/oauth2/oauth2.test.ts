/** Tests the state of the OAuth2 tab: flows, rows, texts, the exported file, and the store with the real agent. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { CodedError } from '../../../../../lib/platform-api/index.ts';
import { AgentConnection, OAuth2InspectorClient } from '../../../../../lib/extension/inspector/index.ts';
import { debugTargetOf } from '../../../../../lib/extension/panel/shell/debug-target.ts';
import { explainClaims, formatSpan } from '../../../../../lib/extension/panel/oauth2/claims.ts';
import { writeFlowFile } from '../../../../../lib/extension/panel/oauth2/export-file.ts';
import { FlowIds } from '../../../../../lib/extension/panel/oauth2/flow-ids.ts';
import { shownOptions } from '../../../../../lib/extension/panel/oauth2/options.ts';
import { intendedOption } from '../../../../../lib/extension/panel/oauth2/option-names.ts';
import type { ServiceConfiguration } from '../../../../../lib/oauth2/types.ts';
import { flowsOf, rowsOf } from '../../../../../lib/extension/panel/oauth2/flow-rows.ts';
import { expiryText, sessionStateOf } from '../../../../../lib/extension/panel/oauth2/session-state.ts';
import { recordingOf } from '../../../../../lib/extension/panel/oauth2/recording.ts';
import { OAuth2Store } from '../../../../../lib/extension/panel/oauth2/store.ts';
import { describeEntry } from '../../../../../lib/extension/panel/oauth2/entry-text.ts';
import type {
  Entry,
  EntryDetail,
  PageService,
  ServiceOption,
  ServiceSession,
} from '../../../../../lib/extension/panel/oauth2/types.ts';
import {
  CONFIGURATION,
  foreignLibrary,
  librarySource,
  openLoginPage,
  SECRETS,
  type LoginPage,
} from '../../inspector/support/oauth2-page.ts';
import { agentSource } from '../../inspector/support/page.ts';

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0);

/** Entries of events, one second apart. */
function entriesOf(...events: [service: string, detail: EntryDetail][]): Entry[] {
  const flowIds = new FlowIds();
  return events.map(([service, detail], index) => ({
    id: index + 1,
    documentId: 'd',
    at: NOW + index * 1000,
    service,
    flow: flowIds.assign('d', service, detail),
    detail,
  }));
}
const loginStarted: EntryDetail = {
  kind: 'login-started',
  grantType: 'code',
  pkce: true,
  authUrl: 'https://id.example/authorize',
  redirectUrl: 'https://app.example/',
  scope: 'read',
  shared: false,
};
const tokenRequested = (reason: 'login' | 'expired' | 'asked'): EntryDetail => ({
  kind: 'token-requested',
  grant: reason === 'login' ? 'authorization_code' : 'refresh_token',
  url: 'https://id.example/token',
  proxy: false,
  reason,
});
const tokenAnswered = (ok = true): EntryDetail => ({
  kind: 'token-answered',
  status: ok ? 200 : 400,
  milliseconds: 12,
  code: ok ? null : 'REFRESH_REFUSED',
  error: ok ? null : 'invalid_grant',
  description: null,
  clockAhead: 0,
  token: ok ? { type: 'Bearer', expiresIn: 600, scope: 'read', refreshable: true } : null,
});
const stored: EntryDetail = { kind: 'session', change: 'stored', persistent: true };
const removed: EntryDetail = { kind: 'session', change: 'removed', persistent: true };
const event = (name: 'auth.login' | 'auth.fail' | 'auth.logout', code: string | null = null): EntryDetail => ({
  kind: 'event',
  name,
  code,
});
const apiStarted = (call: number): EntryDetail => ({
  kind: 'api-started',
  call,
  method: 'get',
  url: `https://api.example/${call}`,
  proxy: false,
});
const apiEnded = (call: number, status = 200): EntryDetail => ({
  kind: 'api-ended',
  call,
  status,
  milliseconds: 40,
  bytes: 1200,
  code: status < 400 ? null : 'API_REFUSED',
  headers: ['content-type: application/json', 'x-note: a: b'],
});
const action = (
  name: 'login' | 'logout' | 'api' | 'refresh',
  id: number,
  state: 'waiting' | 'started' | 'done' | 'failed',
): EntryDetail => ({ kind: 'action', action: name, id, state, code: null, message: null, milliseconds: null });

describe('Flows', () => {
  it('contain one login, from the panel’s action to the event', () => {
    const entries = entriesOf(
      ['box', action('login', 1, 'waiting')],
      ['box', action('login', 1, 'started')],
      ['box', loginStarted],
      ['other', apiStarted(1)],
      ['box', { kind: 'popup', state: 'opened' }],
      [
        'box',
        {
          kind: 'callback',
          origin: 'https://app.example',
          parameters: ['code', 'state'],
          error: null,
          description: null,
        },
      ],
      ['box', { kind: 'state-checked', matches: true }],
      ['box', tokenRequested('login')],
      ['box', tokenAnswered()],
      ['box', stored],
      ['box', event('auth.login')],
      ['other', apiEnded(1)],
      ['box', action('login', 1, 'done')],
    );
    const flows = flowsOf(entries);
    expect(
      flows.map(({ type, service, tone, isOpen, entries }) => [type, service, tone, isOpen, entries.length]),
    ).toEqual([
      ['login', 'box', 'success', false, 11],
      ['api', 'other', 'success', false, 2],
    ]);
    expect(flows[0]).toMatchObject({ title: 'Login', status: 200, milliseconds: 12_000 });
    expect(flows[1]).toMatchObject({ title: 'GET https://api.example/1', status: 200, bytes: 1200, milliseconds: 40 });
  });

  it('separate a refresh from the call that needed it, and overlapping calls', () => {
    const entries = entriesOf(
      ['box', apiStarted(1)],
      ['box', tokenRequested('expired')],
      ['box', apiStarted(2)],
      ['box', tokenAnswered()],
      ['box', stored],
      ['box', apiEnded(2, 403)],
      ['box', apiEnded(1)],
    );
    expect(flowsOf(entries).map(({ type, tone, entries }) => [type, tone, entries.length])).toEqual([
      ['api', 'success', 2],
      ['refresh', 'success', 3],
      ['api', 'danger', 2],
    ]);
  });

  it('end with tone danger when the service refuses', () => {
    const refused = flowsOf(
      entriesOf(
        ['box', tokenRequested('asked')],
        ['box', tokenAnswered(false)],
        ['box', removed],
        ['box', event('auth.fail', 'REFRESH_REFUSED')],
      ),
    );
    expect(refused).toMatchObject([
      { type: 'refresh', tone: 'danger', status: 400, isOpen: false, entries: [{}, {}, {}, {}] },
    ]);
    expect(
      flowsOf(
        entriesOf(
          ['box', loginStarted],
          ['box', { kind: 'popup', state: 'blocked' }],
          ['box', event('auth.fail', 'POPUP_BLOCKED')],
        ),
      ),
    ).toMatchObject([{ type: 'login', tone: 'danger', detail: 'POPUP_BLOCKED' }]);
    expect(flowsOf(entriesOf(['box', removed], ['box', event('auth.logout')]))).toMatchObject([
      { type: 'logout', tone: 'success' },
    ]);
  });

  it('share a login that another call joined', () => {
    expect(
      flowsOf(
        entriesOf(
          ['box', loginStarted],
          ['box', { kind: 'popup', state: 'opened' }],
          ['box', { ...loginStarted, shared: true }],
          ['box', event('auth.login')],
        ),
      ),
    ).toHaveLength(1);
  });

  it('contain every entry once, for arbitrary events in any order', () => {
    const any = fc.constantFrom<EntryDetail>(
      loginStarted,
      tokenRequested('login'),
      tokenRequested('expired'),
      tokenAnswered(),
      tokenAnswered(false),
      stored,
      removed,
      event('auth.login'),
      event('auth.fail'),
      event('auth.logout'),
      apiStarted(1),
      apiStarted(2),
      apiEnded(1),
      apiEnded(3, 500),
      action('api', 1, 'started'),
      action('api', 1, 'done'),
      action('login', 2, 'waiting'),
      { kind: 'popup', state: 'closed' },
      { kind: 'state-checked', matches: false },
      { kind: 'settled', call: 'login', code: null, message: null, milliseconds: 1 },
      { kind: 'configured' },
      { kind: 'dropped', count: 4 },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('box', '__proto__', ''), any), { maxLength: 60 }), (events) => {
        const entries = entriesOf(...events);
        const flows = flowsOf(entries);
        expect(flows.flatMap((flow) => flow.entries).sort((a, b) => a.id - b.id)).toEqual(entries);
        const rows = rowsOf(flows, { text: '', service: '', kind: 'all' }, new Set());
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      }),
    );
  });
});

describe('Timeline rows', () => {
  const flows = flowsOf(
    entriesOf(
      ['box', loginStarted],
      ['box', event('auth.fail', 'STATE_MISMATCH')],
      ['box', apiStarted(1)],
      ['box', apiEnded(1)],
      ['other', apiStarted(7)],
      ['', { kind: 'navigated', url: 'https://app.example/x', origin: 'https://app.example' }],
    ),
  );
  const shown = (filter: Partial<Parameters<typeof rowsOf>[1]>, folded = new Set<number>()) =>
    rowsOf(flows, { text: '', service: '', kind: 'all', ...filter }, folded).map(
      ({ flow, entry }) => entry?.detail.kind ?? flow.type,
    );

  it('include a flow’s entries, unless it is collapsed or only a request and its response', () => {
    expect(shown({})).toEqual(['login', 'login-started', 'event', 'api', 'api', 'page']);
    expect(shown({}, new Set([flows[0]!.id]))).toEqual(['login', 'api', 'api', 'page']);
  });

  it('are filtered by text, service, and type', () => {
    expect(shown({ text: 'state_mis' })).toEqual(['login', 'login-started', 'event']);
    expect(shown({ text: 'API.example/7' })).toEqual(['api']);
    expect(shown({ service: 'other' })).toEqual(['api', 'page']);
    expect(shown({ kind: 'api' })).toEqual(['api', 'api']);
    expect(shown({ kind: 'problems' })).toEqual(['login', 'login-started', 'event']);
  });

  it.each(['constructor', '__proto__', 'toString'])('show %s, which objects inherit, as the page sent it', (word) => {
    const details = [
      { kind: 'popup', state: word },
      { ...tokenRequested('login'), reason: word },
      { ...stored, change: word },
      { ...action('login', 1, 'done'), action: word, state: word },
    ] as EntryDetail[];
    for (const { entries } of flowsOf(entriesOf(...details.map((detail): [string, EntryDetail] => ['box', detail])))) {
      for (const entry of entries) expect(Object.values(describeEntry(entry)).join(' ')).toContain(word);
    }
  });
});

describe('A session', () => {
  const session: ServiceSession = {
    tokenType: 'Bearer',
    expires: NOW / 1000 + 600,
    expiresIn: 600,
    scope: 'read',
    accessToken: { masked: 'ab…yz', length: 40, jwt: null },
    refreshToken: null,
    idToken: null,
    others: [],
  };
  const service = (change: Partial<ServiceSession> | null, more: Partial<PageService> = {}): PageService => ({
    name: 'box',
    options: null,
    session: change && { ...session, ...change },
    sessionKnown: true,
    sessionProblem: null,
    ...more,
  });

  it('has a state that depends on the clock', () => {
    expect(sessionStateOf(service({}), NOW)).toMatchObject({ name: 'active', label: '10 min 0 s left' });
    expect(sessionStateOf(service({}), NOW + 575_000)).toMatchObject({ name: 'soon', label: '25 s left' });
    expect(sessionStateOf(service({}), NOW + 600_000)).toMatchObject({ name: 'expired' });
    expect(sessionStateOf(service({ expires: null, expiresIn: null }), NOW)).toMatchObject({ name: 'endless' });
    expect(sessionStateOf(service({ expires: null, expiresIn: 0 }), NOW)).toMatchObject({ name: 'expired' });
    expect(sessionStateOf(service({ expires: 1e300 }), NOW)).toMatchObject({ name: 'endless' });
    expect(expiryText(1e300, null, NOW)).toBe('invalid date');
    expect(sessionStateOf(service(null), NOW)).toMatchObject({ name: 'none' });
    expect(sessionStateOf(service(null, { sessionKnown: false }), NOW)).toMatchObject({ name: 'unknown' });
    expect(expiryText(NOW / 1000 + 61, null, NOW)).toMatch(/, in 1 min 1 s$/);
    expect([0, 59_999, 3_599_000, 86_399_000, 90_061_000].map(formatSpan)).toEqual([
      '0 s',
      '59 s',
      '59 min 59 s',
      '23 h 59 min',
      '1 d 1 h',
    ]);
  });

  it('has claims with explanations, and marks those that make it invalid', () => {
    const claims = explainClaims(
      {
        t: 'object',
        size: 4,
        entries: [
          ['exp', { t: 'number', v: NOW / 1000 - 5 }],
          ['nbf', { t: 'number', v: NOW / 1000 + 60 }],
          ['aud', { t: 'string', v: 'api', length: 3 }],
          ['__proto__', { t: 'string', v: 'x', length: 1 }],
          ['exp ', { t: 'number', v: 1e300 }],
        ],
      },
      NOW,
    );
    expect(claims).toMatchObject([
      { name: 'exp', tone: 'danger', meaning: expect.stringMatching(/^Expired: .*5 s ago$/) as unknown },
      { name: 'nbf', tone: 'danger' },
      { name: 'aud', meaning: expect.stringContaining('Audience') as unknown },
      { name: '__proto__', meaning: '' },
      {},
    ]);
    expect(
      explainClaims({ t: 'object', size: 1, entries: [['exp', { t: 'number', v: 1e300 }]] }, NOW)[0]?.meaning,
    ).toContain('invalid date');
  });
});

describe('Options', () => {
  const option = (name: string, value: string | boolean | null, more: Partial<ServiceOption> = {}): ServiceOption => ({
    name,
    type: typeof value === 'boolean' ? 'boolean' : 'string',
    value,
    secret: false,
    masked: null,
    entries: null,
    ...more,
  });
  const problems = (...options: ServiceOption[]) =>
    Object.fromEntries(
      shownOptions(options)
        .filter(({ problem }) => problem)
        .map(({ name, problem }) => [name, problem]),
    );

  it('are all explained', () => {
    // A missing name is an error of the compiler.
    const names: Record<keyof ServiceConfiguration, true> = {
      clientId: true,
      clientSecret: true,
      redirectUrl: true,
      authUrl: true,
      grantType: true,
      grantUrl: true,
      grantData: true,
      baseUrl: true,
      useProxy: true,
      state: true,
      scope: true,
      scopeSeparator: true,
      refresh: true,
      pkce: true,
      issuer: true,
      revokeUrl: true,
      timeout: true,
      loginTimeout: true,
    };
    const shown = shownOptions(Object.keys(names).map((name) => option(name, 'x')));
    expect(shown.filter(({ meaning }) => meaning === '')).toEqual([]);
    expect(Object.keys(names).map((name) => intendedOption(`${name}_`))).toEqual(Object.keys(names));
  });

  it('have a problem when they are missing, misspelled, or invalid', () => {
    expect(
      problems(
        option('clientID', 'x'),
        option('redirectUrl', '/done'),
        option('authUrl', 'http://id.example/'),
        option('grantType', 'code'),
        option('clientSecret', null, { secret: true, masked: { masked: '…', length: 0 } }),
      ),
    ).toEqual({
      clientId: 'Missing. Required for login.',
      clientID: 'Unknown option. Did you mean clientId?',
      redirectUrl: expect.stringContaining('full URL') as unknown,
      authUrl: expect.stringContaining('isn’t encrypted') as unknown,
      grantUrl: 'Missing. Required for the explicit flow.',
    });
    expect(
      problems(
        option('clientId', 'x'),
        option('clientSecret', null, { secret: true, masked: { masked: '…', length: 3 } }),
        option('redirectUrl', 'https://a.example/'),
        option('authUrl', 'http://localhost:4401/authorize'),
        option('own', 'x'),
      ),
    ).toEqual({});
  });
});

describe('A page of an environment', () => {
  const environment = {
    name: '',
    preset: 'local',
    namespace: 'Platform',
    production: false,
    maskedToken: '',
    endpoints: null,
  } as const;
  const environments = [
    { ...environment, id: 'e', baseUrl: 'https://platform.example/eu' },
    { ...environment, id: 'l', baseUrl: 'http://localhost:4400' },
  ];
  it.each([
    [
      'http://localhost:4400/v1/apps/101/preview?page=2003',
      { environmentId: 'l', appId: 101, page: 'preview', screen: 2003 },
    ],
    ['https://platform.example/eu/v1/apps/7/live?code=x#y', { environmentId: 'e', appId: 7, page: 'live' }],
    ['https://platform.example/v1/apps/7/live', null],
    ['http://localhost:4400/v1/apps/7/tasks/1/compile?html', { environmentId: 'l', appId: 7, taskId: 1 }],
    ['http://localhost:4400/v1/apps/x/preview', null],
    ['https://elsewhere.example/v1/apps/7/preview', null],
    ['about:blank', null],
    ['', null],
  ])('is recognized by its URL: %s', (address, expected) => {
    expect(debugTargetOf(address, environments)).toEqual(expected);
  });
});

describe('Recording', () => {
  it.each([
    ['ready', 'observed', 'complete'],
    ['ready', 'wrapped', 'good'],
    ['ready', 'late', 'partial'],
    ['absent', 'wrapped', 'none'],
    ['throws', 'late', 'none'],
  ] as const)('of a library that is %s and %s is %s', (library, tracing, level) => {
    expect(recordingOf({ library, tracing }).level).toBe(level);
  });
});

describe('The OAuth2 store', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  async function open(before: string) {
    const tab: { page: LoginPage } = { page: await openLoginPage({ before }) };
    closing.push(() => tab.page.close());
    const files: string[] = [];
    const saved = new Map<string, string>();
    const problems: number[] = [];
    const clock = { now: Date.now() };
    const connection = new AgentConnection({ evaluate: (expression) => tab.page.evaluate(expression) }, agentSource);
    const store = new OAuth2Store({
      inspector: new OAuth2InspectorClient(connection, { busy: 2, idle: 5 }),
      namespace: () => 'Platform',
      memory: { getItem: (key) => saved.get(key) ?? null, setItem: (key, value) => void saved.set(key, value) },
      saveFile: (_name, text) => files.push(text),
      allowReload: async () => true,
      onProblems: (count) => problems.push(count),
      now: () => clock.now,
      checkInterval: 5,
    });
    closing.unshift(() => store.dispose());
    await tab.page.until(() => store.page.value !== null);
    return { tab, store, files, problems, clock, until: (holds: () => boolean) => tab.page.until(holds) };
  }
  const configured = `Platform.OAuth2.configure('box', ${JSON.stringify(CONFIGURATION)});`;

  it('follows the page’s services, sessions, and events', async () => {
    const { store, until, tab } = await open(`${await librarySource()}; ${configured}`);
    await until(() => store.timeline.flows.value.length === 1);
    expect(store.service.value).toMatchObject({ name: 'box' });
    tab.page.run(
      `localStorage.setItem('platform-oauth2:box', JSON.stringify({ access_token: 'opaque-0123456789abcdefg', token_type: 'Bearer' }))`,
    );
    await until(() => store.service.value?.session != null);
    await store.actions.start({ action: 'logout', service: 'box' });
    await until(() => store.actions.running.value.length === 0 && store.service.value?.session === null);
    expect(store.timeline.flows.value.at(-1)).toMatchObject({ type: 'logout', tone: 'success' });
  });

  it('reports how many problems the doctor has found, again when a session expires', async () => {
    const { store, until, tab, problems, clock } = await open(`${await librarySource()}; ${configured}`);
    await until(() => store.service.value !== null);
    const expires = Math.round(clock.now / 1000) + 60;
    tab.page.run(
      `localStorage.setItem('platform-oauth2:box', JSON.stringify({ access_token: 'opaque-0123456789abcdefg', token_type: 'Bearer', scope: 'read write', expires: ${expires} }))`,
    );
    await until(() => store.service.value?.session != null);
    expect(problems).toEqual([0]);
    clock.now += 61_000;
    await until(() => problems.length > 1);
    expect(problems).toEqual([0, 1]);
    expect(store.findings.value[0]?.code).toBe('SESSION_EXPIRED');
  });

  it('finds the status and headers of a call’s response in what the library reports', async () => {
    const { store, until } = await open(
      `window.fetch = async () => new Response('{"a":1}', { status: 201, headers: { 'content-type': 'application/json', 'x-note': 'hi' } });
      localStorage.setItem('platform-oauth2:box', JSON.stringify({ access_token: 'opaque-0123456789abcdefg', token_type: 'Bearer' }));
      ${await librarySource()}; ${configured}`,
    );
    await until(() => store.service.value?.session != null);
    await store.actions.start({ action: 'api', service: 'box', path: 'items', method: 'get', data: null });
    await until(() => store.apiEnd.value !== null);
    expect(store.apiEnd.value).toMatchObject({
      status: 201,
      headers: ['content-type: application/json', 'x-note: hi'],
    });
  });

  it('preserves the timeline over a navigation if requested, and exports it without a secret', async () => {
    const { store, until, tab, files } = await open(`${foreignLibrary()}; ${configured}`);
    await until(() => store.service.value?.session != null);
    await store.actions.start({ action: 'api', service: 'box', path: 'items', method: 'get', data: null });
    await until(() => store.timeline.flows.value.some(({ type }) => type === 'api'));
    const next = async (): Promise<void> => {
      const before = store.page.value?.documentId;
      const old = tab.page;
      tab.page = await openLoginPage({ before: await librarySource() });
      closing.push(() => old.close());
      await until(() => store.page.value?.documentId !== before);
    };
    await next();
    await until(() => store.timeline.flows.value.some(({ type }) => type === 'page'));
    expect(store.timeline.flows.value.map(({ type }) => type)).toContain('api');
    store.exportTimeline();
    expect(JSON.parse(files[0]!)).toMatchObject({
      format: 'platform-devtools-oauth2',
      entries: expect.arrayContaining([
        expect.objectContaining({ detail: expect.objectContaining({ kind: 'api-started' }) as unknown }) as unknown,
      ]) as unknown,
    });
    for (const secret of SECRETS) expect(files[0]!.includes(secret)).toBe(false);
    store.timeline.setPreserveLog(false);
    await next();
    await until(() => store.timeline.flows.value.map(({ type }) => type).join() === 'page');
  });

  it('reports an unreachable page only when it stays unreachable', async () => {
    const { store, until, tab } = await open(`${await librarySource()}; ${configured}`);
    const { page } = tab;
    const gone = new CodedError({
      code: 'PAGE_UNREACHABLE',
      message: 'DevTools cannot look into this page.',
      hint: 'Open another.',
    });
    let tries = 0;
    const go = (): void =>
      void (tab.page = Object.create(page, {
        evaluate: { value: () => (tries++, Promise.reject(gone)) },
      }) as LoginPage);
    go();
    await until(() => tries > 2);
    expect(store.lost.value).toBeNull();
    tab.page = page;
    await until(() => store.page.value !== null);
    go();
    await until(() => store.lost.value !== null);
    expect(store.lost.value?.code).toBe('PAGE_UNREACHABLE');
    tab.page = page;
    await until(() => store.lost.value === null);
  });

  it('holds a bounded number of entries, and counts the removed ones', async () => {
    const { store, until, tab } = await open(
      `Platform = { OAuth2: Object.assign(() => null, { features: ['observe'], configure: () => ({}), observe(fn) { tell = fn } }) }`,
    );
    for (let round = 0; round < 3; round++) {
      tab.page.run(
        `for (let i = 0; i < 4000; i++) tell({ kind: 'api-started', at: 1, service: 's', call: ${round * 4000} + i, method: 'get', url: 'https://x.example/', proxy: false })`,
      );
      const all = (round + 1) * 4000;
      await until(() => store.state.value.entries.length + store.timeline.dropped.value >= all);
    }
    expect(store.state.value.entries.length).toBeLessThanOrEqual(10_000);
    expect(store.state.value.entries.length + store.timeline.dropped.value).toBe(12_000);
    store.timeline.clear();
    expect(store.timeline.flows.value.length).toBe(0);
    expect(store.timeline.dropped.value).toBe(0);
  });

  it('exports masked values as lengths, and claims and response headers by name', () => {
    const text = writeFlowFile({
      page: null,
      entries: entriesOf(['box', apiStarted(1)], ['box', apiEnded(1)]),
      dropped: 3,
      now: NOW,
      services: [
        {
          name: 'box',
          sessionKnown: true,
          sessionProblem: null,
          options: [
            {
              name: 'clientSecret',
              type: 'string',
              value: null,
              secret: true,
              masked: { masked: 'S3…89', length: 28 },
              entries: null,
            },
          ],
          session: {
            tokenType: null,
            expires: 1,
            expiresIn: null,
            scope: null,
            refreshToken: { masked: 're…21', length: 30 },
            idToken: null,
            others: [],
            accessToken: {
              masked: 'ey…wx',
              length: 99,
              jwt: {
                header: { t: 'null' },
                claims: { t: 'object', size: 1, entries: [['sub', { t: 'string', v: 'dana', length: 4 }]] },
                problem: null,
              },
            },
          },
        },
      ],
    });
    expect(JSON.parse(text)).toMatchObject({
      dropped: 3,
      entries: [{}, { detail: { headers: ['content-type', 'x-note'] } }],
      services: [
        {
          options: [{ name: 'clientSecret', secret: true, length: 28 }],
          session: { accessToken: { length: 99, claims: ['sub'] }, refreshToken: { length: 30 } },
        },
      ],
    });
    for (const reported of ['S3…', 'ey…', 're…', 'dana']) expect(text).not.toContain(reported);
  });
});
