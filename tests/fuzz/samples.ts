/** Valid samples of agent events. */
import { AGENT_PROTOCOL } from '../../lib/extension/inspector/agent-protocol.ts';
import type { AgentEvent, PageState, RemoteValue } from '../../lib/extension/inspector/contract.ts';
import type { OAuth2Event, OAuth2Page } from '../../lib/extension/inspector/oauth2/contract.ts';
import { EVENT_FIELDS } from '../../lib/extension/inspector/oauth2/fields.ts';

const text = (v: string): RemoteValue => ({ t: 'string', v, length: v.length });
const object = (entries: [string, RemoteValue][]): RemoteValue => ({
  t: 'object',
  size: entries.length + 1,
  entries,
  handle: 4,
});
export const VALUES: RemoteValue[] = [
  { t: 'undefined' },
  { t: 'null' },
  { t: 'boolean', v: true },
  { t: 'number', v: 3 },
  { t: 'number', v: 'NaN' },
  text('a'),
  { t: 'string', v: 'cut', length: 100, handle: 3 },
  { t: 'bigint', v: '12n' },
  { t: 'function', v: 'function f() {}' },
  { t: 'node', v: '<body>' },
  { t: 'error', name: 'TypeError', message: 'm', stack: 'at x' },
  {
    t: 'array',
    length: 9,
    items: [
      { t: 'number', v: 1 },
      { t: 'cycle', up: 1 },
    ],
    handle: 2,
  },
  object([
    ['a', text('b')],
    ['c', object([['d', { t: 'null' }]])],
  ]),
  { t: 'unreadable', message: 'no' },
];
const context = object([
  ['list', { t: 'array', length: 2, items: [object([['id', { t: 'number', v: 1 }]]), { t: 'null' }] }],
  ['a', text('b')],
]);

const base = { runId: 'r' };
const error = {
  code: 'STEP_FAILED',
  errorType: 'TypeError',
  errorMessage: 'm',
  trace: ['at a'],
  path: '/1',
  iteration: [0],
  thrown: text('x'),
};
export const EVENTS: AgentEvent[] = [
  {
    ...base,
    n: 1,
    at: 0,
    kind: 'run-started',
    tracing: 'observed',
    payload: context,
    context,
    startedAt: 1_790_000_000_000,
  },
  {
    ...base,
    n: 2,
    at: 1,
    kind: 'step-started',
    step: 1,
    parent: null,
    path: '/0',
    iteration: [],
    stepKind: 'loop',
    name: 'loop',
    settings: { t: 'undefined' },
    changes: [{ path: '/currentItem', after: text('x') }],
  },
  {
    ...base,
    n: 3,
    at: 2,
    kind: 'step-started',
    step: 2,
    parent: 1,
    path: '/0/functions/0',
    iteration: [0],
    stepKind: 'if',
    name: 'if',
    settings: { t: 'undefined' },
  },
  {
    ...base,
    n: 4,
    at: 3,
    kind: 'step-started',
    step: 3,
    parent: 2,
    path: '/0/functions/0/conditions/0/functions/0',
    iteration: [0],
    stepKind: 'function',
    name: 'com.platform.function.send-email',
    settings: context,
  },
  { ...base, n: 5, at: 4, kind: 'console', step: 3, level: 'warn', args: VALUES },
  {
    ...base,
    n: 6,
    at: 5,
    kind: 'request-started',
    step: 3,
    request: 1,
    method: 'GET',
    url: 'https://api.example/items',
  },
  { ...base, n: 7, at: 6, kind: 'request-ended', request: 1, status: 200, bytes: 12 },
  {
    ...base,
    n: 8,
    at: 7,
    kind: 'step-ended',
    step: 3,
    state: 'completed',
    value: text('v'),
    changes: [
      { path: '/list/1', before: { t: 'null' }, after: context },
      { path: '/list/0/id', before: { t: 'number', v: 1 } },
      { path: '', after: context },
    ],
    shallow: true,
  },
  { ...base, n: 9, at: 8, kind: 'step-ended', step: 2, state: 'failed', error, branch: 0, changes: [] },
  { ...base, n: 10, at: 9, kind: 'step-ended', step: 1, state: 'failed', error, iterations: 1, changes: [] },
  {
    ...base,
    n: 11,
    at: 10,
    kind: 'run-ended',
    state: 'failed',
    result: context,
    resultBytes: 100,
    resultText: 5,
    goesOn: true,
    error,
    milliseconds: 10,
  },
];
export const READING = { documentId: 'd', events: EVENTS, lastSeq: 11, dropped: 0, fingerprint: 'f' };
export const STATE: PageState = {
  protocol: AGENT_PROTOCOL,
  documentId: 'd',
  url: 'http://localhost/v1/apps/1/tasks/2/compile?html',
  ready: true,
  platform: 'ready',
  tracing: 'observed',
  env: { appId: 1, taskId: 2, organizationId: 3, mode: 'preview' },
  pipeline: { ok: true, steps: 2, handle: 1, bytes: 100 },
  functions: [
    { name: 'ok', url: 'http://localhost/f.js' },
    { name: 'none', url: null },
  ],
  canTraceAfterReload: false,
  run: { id: 'r', startedAt: 1 },
  lastSeq: 11,
  fingerprint: 'f',
};
export const TRACKED = [
  { state: 'pending' },
  { state: 'fulfilled', text: '[{"actionId":1,"name":"a"}]', length: 27 },
  { state: 'rejected', code: 'INVALID', message: 'm', details: null },
  { state: 'unreadable', why: 'cycle', path: '/0' },
  { state: 'not-called', why: 'missing', message: 'm' },
  null,
];

const plain = (name: string, value: string | boolean) => ({
  name,
  type: typeof value as 'string' | 'boolean',
  value,
  secret: false,
  masked: null,
  entries: null,
});
const token = {
  masked: 'ey…yz',
  length: 400,
  jwt: {
    header: object([['alg', text('none')]]),
    claims: object([
      ['exp', { t: 'number', v: 1_790_000_000 }],
      ['sub', text('me')],
    ]),
    problem: null,
  },
};
export const PAGE: OAuth2Page = {
  protocol: AGENT_PROTOCOL,
  documentId: 'd',
  fingerprint: 'f',
  origin: 'https://app.example',
  url: 'https://app.example/',
  secure: true,
  library: 'ready',
  detail: null,
  tracing: 'observed',
  version: '0.1',
  features: ['observe'],
  readable: true,
  canRefresh: true,
  csp: ["default-src 'self'"],
  storage: 'available',
  moreServices: 0,
  services: [
    {
      name: 'demo',
      sessionKnown: true,
      sessionProblem: null,
      options: [
        plain('clientId', 'app'),
        plain('redirectUrl', 'https://app.example/done'),
        plain('authUrl', 'https://id.example/authorize'),
        plain('grantUrl', 'https://id.example/token'),
        plain('grantType', 'code'),
        plain('baseUrl', 'https://api.example/v1'),
        plain('refresh', true),
        plain('scope', 'read'),
        {
          name: 'clientSecret',
          type: 'string',
          value: null,
          secret: true,
          masked: { masked: 'si…s!', length: 20 },
          entries: null,
        },
        { name: 'grantData', type: 'object', value: null, secret: false, masked: null, entries: [plain('a', 'b')] },
      ],
      session: {
        tokenType: 'Bearer',
        expires: 1_790_000_000,
        expiresIn: 600,
        scope: 'read',
        accessToken: token,
        refreshToken: { masked: 'cd…wx', length: 40 },
        idToken: token,
        others: [plain('x', 'y')],
      },
    },
  ],
};

/** One of each kind, with every field. */
const FIELD = {
  word: 'word',
  text: 'a text',
  url: 'https://id.example/x',
  flag: true,
  number: 3,
  words: ['code', 'state'],
  'word?': null,
  'text?': null,
  'flag?': null,
  'number?': 200,
  'lines?': ['content-type: text/plain'],
  'token?': { type: 'Bearer', expiresIn: 600, scope: 'read', refreshable: true },
} as const;
const WORDS: Record<string, string> = {
  grantType: 'code',
  reason: 'login',
  change: 'stored',
  state: 'started',
  action: 'api',
  name: 'auth.login',
  grant: 'refresh_token',
  call: 'login',
};
export const LOGIN_EVENTS = Object.entries(EVENT_FIELDS).map(([kind, fields], index) => ({
  n: index + 1,
  at: 1_790_000_000_000 + index,
  service: 'demo',
  kind,
  ...Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field === 'word' ? (WORDS[name] ?? 'word') : FIELD[field]]),
  ),
})) as unknown as OAuth2Event[];
export const LOGIN_READING = {
  documentId: 'd',
  events: LOGIN_EVENTS,
  lastSeq: LOGIN_EVENTS.length,
  dropped: 0,
  fingerprint: 'f',
};
export const API_ANSWER = { id: 1, ok: true, status: 200, code: null, message: null, body: context, milliseconds: 3 };
export const PROBED = {
  answered: true,
  status: 200,
  date: 'Fri, 20 Nov 2026 12:00:00 GMT',
  json: object([
    ['issuer', text('https://id.example')],
    ['token_endpoint', text('https://id.example/token')],
  ]),
  milliseconds: 20,
};
