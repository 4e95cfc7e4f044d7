/** Describes each timeline entry in one line. */
import { formatDuration, formatSize, plural } from '../../../shared/format.ts';
import type { Entry, EntryDetail } from './types.ts';

export type Tone = 'plain' | 'success' | 'danger' | 'warning';

export interface EntryText {
  title: string;
  detail: string;
  tone: Tone;
}

const POPUP: Record<string, EntryText> = {
  opened: text('Popup opened'),
  focused: text('Popup focused', 'A login was already in progress. Both calls share its outcome.'),
  blocked: text('Popup blocked', 'Browsers open popups only in response to a click.', 'danger'),
  closed: text('Popup closed'),
};
const REASONS: Record<string, string> = {
  login: 'redeem the code',
  expired: 'the token expired',
  unauthorized: 'the API responded with 401',
  asked: 'requested by the page',
};
const ACTIONS: Record<string, string> = { login: 'Log in', logout: 'Log out', refresh: 'Refresh', api: 'Call API' };
const ACTION_STATES: Record<string, [detail: string, tone: Tone]> = {
  waiting: ['waiting for your click on the page', 'warning'],
  started: ['started in this panel', 'plain'],
  done: ['completed', 'success'],
  failed: ['failed', 'danger'],
  cancelled: ['canceled', 'warning'],
  'timed-out': ['timed out', 'danger'],
};
const SESSION_CHANGES: Record<string, string> = {
  stored: 'Session stored',
  removed: 'Session removed',
  'changed-elsewhere': 'Session changed in another tab',
};

function text(title: string, detail = '', tone: Tone = 'plain'): EntryText {
  return { title, detail, tone };
}

/** Ignores inherited properties, because pages can send any string, such as `constructor`. */
function lookUp<T>(table: Record<string, T>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

/** Joins the parts that aren't empty. */
function join(...parts: (string | null | undefined | false)[]): string {
  return parts.filter(Boolean).join(' · ');
}

const statusText = (status: number | null): string | null => (status === null ? null : `HTTP ${status}`);

/** Caches descriptions, because every search goes through all entries. */
const cache = new WeakMap<Entry, EntryText>();

export function describeEntry(entry: Entry): EntryText {
  const cached = cache.get(entry);
  if (cached) return cached;
  const describe = DESCRIPTIONS[entry.detail.kind] as (detail: EntryDetail) => EntryText;
  const described = describe(entry.detail);
  cache.set(entry, described);
  return described;
}

type DetailOf<K extends EntryDetail['kind']> = Extract<EntryDetail, { kind: K }>;

const DESCRIPTIONS: { [K in EntryDetail['kind']]: (detail: DetailOf<K>) => EntryText } = {
  configured: () => text('Configured'),
  refused: ({ call, message, code }) => text(`${call}() failed`, join(message, code), 'danger'),
  popup: ({ state }) => lookUp(POPUP, state) ?? text(`Popup ${state}`),
  'state-checked': ({ matches }) =>
    matches
      ? text('State checked', 'The callback’s state matches the one that was sent.', 'success')
      : text('State mismatch', 'The callback’s state doesn’t match, so it was ignored.', 'danger'),
  'login-started': describeLogin,
  callback: ({ origin, parameters, error, description }) =>
    text(
      'Callback',
      join(
        `to ${origin}`,
        parameters.length > 0 ? `with ${parameters.join(', ')}` : 'without parameters',
        error,
        description,
      ),
      error ? 'danger' : 'plain',
    ),
  'token-requested': ({ grant, reason, url, proxy }) =>
    text(
      'Token request',
      join(
        grant === 'refresh_token' ? 'refresh token' : 'authorization code',
        lookUp(REASONS, reason) ?? reason,
        url,
        proxy && 'through the proxy',
      ),
    ),
  'token-answered': (response) =>
    response.token ? describeToken(response, response.token) : describeTokenFailure(response),
  session: ({ change, persistent }) =>
    text(
      lookUp(SESSION_CHANGES, change) ?? `Session ${change}`,
      persistent ? '' : 'Stored in memory only.',
      persistent ? 'plain' : 'warning',
    ),
  event: ({ name, code }) => text(name, code ?? '', eventTone(name)),
  'api-started': ({ method, url, proxy }) =>
    text(`${method.toUpperCase()} request`, join(url, proxy && 'through the proxy')),
  'api-ended': ({ status, milliseconds, bytes, code }) =>
    text(
      'Response',
      join(statusText(status), formatDuration(milliseconds), bytes !== null && formatSize(bytes), code),
      code ? 'danger' : 'success',
    ),
  action: ({ action, state, message, code }) => {
    const [outcome, tone] = lookUp(ACTION_STATES, state) ?? [state, 'plain'];
    return text(lookUp(ACTIONS, action) ?? action, join(outcome, message, code), tone);
  },
  csp: ({ directive, blocked }) => text('Blocked by Content-Security-Policy', join(directive, blocked), 'danger'),
  settled: ({ call, code, milliseconds, message }) =>
    text(
      `${call}() ${code === null ? 'resolved' : 'rejected'}`,
      join(formatDuration(milliseconds), message, code),
      code === null ? 'success' : 'danger',
    ),
  navigated: ({ url }) => text('Page loaded', url),
  dropped: ({ count }) =>
    text(`${plural(count, 'event')} not shown`, 'The page sent too many events at once.', 'warning'),
};

function eventTone(name: string): Tone {
  if (name === 'auth.fail') return 'danger';
  return name === 'auth.login' ? 'success' : 'plain';
}

function describeLogin({ grantType, pkce, scope, authUrl, shared }: DetailOf<'login-started'>): EntryText {
  const isCode = grantType === 'code';
  return text(
    'Login started',
    join(
      isCode ? 'explicit flow (code)' : 'implicit flow (token)',
      pkce ? 'PKCE' : pkce === false && isCode && 'no PKCE',
      scope && `scope ${scope}`,
      authUrl,
      shared && 'joined an open login',
    ),
  );
}

type TokenResponse = DetailOf<'token-answered'>;

function describeToken({ status, milliseconds }: TokenResponse, token: NonNullable<TokenResponse['token']>): EntryText {
  const { type, expiresIn, scope, refreshable } = token;
  return text(
    'Token response',
    join(
      statusText(status),
      formatDuration(milliseconds),
      type,
      expiresIn === null ? 'no expiry' : `expires in ${formatDuration(Math.max(0, expiresIn) * 1000)}`,
      scope === '' ? 'no scopes' : scope && `scope ${scope}`,
      refreshable && 'refresh token',
    ),
    'success',
  );
}

function describeTokenFailure({ status, code, milliseconds, error, description }: TokenResponse): EntryText {
  return text(
    'Token response',
    join(statusText(status) ?? (code ? 'no response' : null), formatDuration(milliseconds), error, description, code),
    code || error ? 'danger' : 'plain',
  );
}
