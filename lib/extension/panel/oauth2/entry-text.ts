/** Describes the timeline's entries in one line each. */
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
  focused: text('Popup focused', 'A login was already open. Both calls share its outcome.'),
  blocked: text('Popup blocked', 'Browsers open popups only on a click.', 'danger'),
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
  waiting: ['waiting for your click in the page', 'warning'],
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

/** Looks up own properties only: pages may send any word, such as `constructor`. */
function lookUp<T>(table: Record<string, T>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

/** Joins the parts that exist. */
function join(...parts: (string | null | undefined | false)[]): string {
  return parts.filter(Boolean).join(' · ');
}

const statusText = (status: number | null): string | null => (status === null ? null : `HTTP ${status}`);

/** Searching reads every entry again. */
const cache = new WeakMap<Entry, EntryText>();

export function describeEntry(entry: Entry): EntryText {
  const cached = cache.get(entry);
  if (cached) return cached;
  const described = describe(entry.detail);
  cache.set(entry, described);
  return described;
}

function describe(detail: EntryDetail): EntryText {
  switch (detail.kind) {
    case 'configured':
      return text('Configured');
    case 'refused':
      return text(`${detail.call}() failed`, join(detail.message, detail.code), 'danger');
    case 'popup':
      return lookUp(POPUP, detail.state) ?? text(`Popup ${detail.state}`);
    case 'state-checked':
      return detail.matches
        ? text('State checked', 'The callback has the state that was sent.', 'success')
        : text('State mismatch', 'The callback’s state doesn’t match, so it was ignored.', 'danger');
    case 'login-started':
    case 'callback':
    case 'token-requested':
    case 'token-answered':
      return describeLoginStep(detail);
    case 'session':
      return text(
        lookUp(SESSION_CHANGES, detail.change) ?? `Session ${detail.change}`,
        detail.persistent ? '' : 'In memory only, since the browser’s storage is full or blocked.',
        detail.persistent ? 'plain' : 'warning',
      );
    case 'event':
      return text(detail.name, detail.code ?? '', eventTone(detail.name));
    case 'api-started':
      return text(`${detail.method.toUpperCase()} request`, join(detail.url, detail.proxy && 'through the proxy'));
    case 'api-ended':
      return text(
        'Response',
        join(
          statusText(detail.status),
          formatDuration(detail.milliseconds),
          detail.bytes !== null && formatSize(detail.bytes),
          detail.code,
        ),
        detail.code ? 'danger' : 'success',
      );
    case 'action': {
      const [state, tone] = lookUp(ACTION_STATES, detail.state) ?? [detail.state, 'plain'];
      return text(lookUp(ACTIONS, detail.action) ?? detail.action, join(state, detail.message, detail.code), tone);
    }
    case 'csp':
      return text('Blocked by Content-Security-Policy', join(detail.directive, detail.blocked), 'danger');
    case 'settled':
      return text(
        `${detail.call}() ${detail.code === null ? 'resolved' : 'rejected'}`,
        join(formatDuration(detail.milliseconds), detail.message, detail.code),
        detail.code === null ? 'success' : 'danger',
      );
    case 'navigated':
      return text('Page loaded', detail.url);
    case 'dropped':
      return text(`${plural(detail.count, 'event')} not shown`, 'The page sent too many events at once.', 'warning');
  }
}

function eventTone(name: string): Tone {
  if (name === 'auth.fail') return 'danger';
  return name === 'auth.login' ? 'success' : 'plain';
}

type LoginStep = Extract<EntryDetail, { kind: 'login-started' | 'callback' | 'token-requested' | 'token-answered' }>;

function describeLoginStep(step: LoginStep): EntryText {
  switch (step.kind) {
    case 'login-started': {
      const isCode = step.grantType === 'code';
      const pkce = step.pkce ? 'PKCE' : step.pkce === false && isCode && 'no PKCE';
      return text(
        'Login started',
        join(
          isCode ? 'explicit flow (code)' : 'implicit flow (token)',
          pkce,
          step.scope && `scope ${step.scope}`,
          step.authUrl,
          step.shared && 'joined an open login',
        ),
      );
    }
    case 'callback':
      return text(
        'Callback',
        join(
          `to ${step.origin}`,
          step.parameters.length > 0 ? `with ${step.parameters.join(', ')}` : 'without parameters',
          step.error,
          step.description,
        ),
        step.error ? 'danger' : 'plain',
      );
    case 'token-requested':
      return text(
        'Token request',
        join(
          step.grant === 'refresh_token' ? 'refresh token' : 'authorization code',
          lookUp(REASONS, step.reason) ?? step.reason,
          step.url,
          step.proxy && 'through the proxy',
        ),
      );
    case 'token-answered':
      return step.token ? describeToken(step, step.token) : describeTokenFailure(step);
  }
}

type TokenResponse = Extract<EntryDetail, { kind: 'token-answered' }>;

function describeToken({ status, milliseconds }: TokenResponse, token: NonNullable<TokenResponse['token']>): EntryText {
  const { type, expiresIn, scope, refreshable } = token;
  return text(
    'Token response',
    join(
      statusText(status),
      formatDuration(milliseconds),
      type,
      expiresIn === null ? 'no expiry' : `expires in ${formatDuration(Math.max(0, expiresIn) * 1000)}`,
      scope && `scope ${scope}`,
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
