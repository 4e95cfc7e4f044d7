/** Owns the timeline's words: what each entry and each flow says, in one line. */
import { formatDuration, formatSize, plural } from '../../../shared/format.ts';
import type { Entry, EntryDetail } from './types.ts';

export type Tone = 'plain' | 'success' | 'danger' | 'warning';
export interface Line {
  what: string;
  detail: string;
  tone: Tone;
}

const POPUP: Record<string, Line> = {
  opened: line('Popup opened', 'The person logs in there.'),
  focused: line('Popup brought to the front', 'A login was open already; both share its outcome.'),
  blocked: line('Popup blocked', 'The browser opens a window on a click alone.', 'danger'),
  closed: line('Popup closed'),
};
const REASONS: Record<string, string> = {
  login: 'code for a token',
  expired: 'the token has expired',
  unauthorized: 'the API answered 401',
  asked: 'asked for',
};
const ACTIONS: Record<string, string> = { login: 'Log in', logout: 'Log out', refresh: 'Refresh', api: 'Call the API' };
const ACTION_STATES: Record<string, [detail: string, tone: Tone]> = {
  waiting: ['waits for your click in the page', 'warning'],
  started: ['asked for in this panel', 'plain'],
  done: ['done', 'success'],
  failed: ['failed', 'danger'],
  cancelled: ['cancelled', 'warning'],
  'timed-out': ['did not end in time', 'danger'],
};
const CHANGES: Record<string, string> = {
  stored: 'Session stored',
  removed: 'Session removed',
  'changed-elsewhere': 'Session changed in another tab',
};

function line(what: string, detail = '', tone: Tone = 'plain'): Line {
  return { what, detail, tone };
}

/** A page may use any word, also one that objects inherit. */
function known<T>(table: Record<string, T>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

/** Parts that are there, between dots. */
function joined(...parts: (string | null | undefined | false)[]): string {
  return parts.filter(Boolean).join(' · ');
}

const status = (code: number | null): string | null => (code === null ? null : `HTTP ${code}`);

/** Entries are looked at again and again, by the search too. */
const lines = new WeakMap<Entry, Line>();

export function lineOf(entry: Entry): Line {
  const there = lines.get(entry);
  if (there) return there;
  const made = lineOfDetail(entry.detail);
  lines.set(entry, made);
  return made;
}

function lineOfDetail(e: EntryDetail): Line {
  switch (e.kind) {
    case 'configured':
      return line('Configured');
    case 'refused':
      return line(`${e.call}() refused`, joined(e.message, e.code), 'danger');
    case 'login-started':
      return line(
        'Login started',
        joined(
          e.grantType === 'code' ? 'explicit flow (code)' : 'implicit flow (token)',
          e.pkce === null ? null : e.pkce ? 'PKCE' : e.grantType === 'code' && 'no PKCE',
          e.scope && `scope ${e.scope}`,
          e.authUrl,
          e.shared && 'joined an open one',
        ),
      );
    case 'popup':
      return known(POPUP, e.state) ?? line(`Popup ${e.state}`);
    case 'callback':
      return line(
        'Redirect',
        joined(
          `from ${e.origin}`,
          e.parameters.length > 0 ? `with ${e.parameters.join(', ')}` : 'with no parameters',
          e.error,
          e.description,
        ),
        e.error ? 'danger' : 'plain',
      );
    case 'state-checked':
      return e.matches
        ? line('State checked', 'It is the one that was sent.', 'success')
        : line('State differs', 'It is not the one that was sent: the answer is not used.', 'danger');
    case 'token-requested':
      return line(
        'Token request',
        joined(
          e.grant === 'refresh_token' ? 'refresh token' : 'authorization code',
          known(REASONS, e.reason) ?? e.reason,
          e.url,
          e.proxy && 'through the proxy',
        ),
      );
    case 'token-answered':
      return e.token
        ? line(
            'Token answer',
            joined(
              status(e.status),
              formatDuration(e.milliseconds),
              e.token.type,
              e.token.expiresIn === null
                ? 'says no expiry'
                : `for ${formatDuration(Math.max(0, e.token.expiresIn) * 1000)}`,
              e.token.scope && `scope ${e.token.scope}`,
              e.token.refreshable && 'with a refresh token',
            ),
            'success',
          )
        : line(
            'Token answer',
            joined(
              status(e.status) ?? (e.code ? 'no answer' : null),
              formatDuration(e.milliseconds),
              e.error,
              e.description,
              e.code,
            ),
            e.code || e.error ? 'danger' : 'plain',
          );
    case 'session':
      return line(
        known(CHANGES, e.change) ?? `Session ${e.change}`,
        e.persistent ? '' : 'In memory alone: the browser’s storage is full or blocked.',
        e.persistent ? 'plain' : 'warning',
      );
    case 'event':
      return line(
        e.name,
        e.code ?? '',
        e.name === 'auth.fail' ? 'danger' : e.name === 'auth.login' ? 'success' : 'plain',
      );
    case 'api-started':
      return line(`${e.method.toUpperCase()} request`, joined(e.url, e.proxy && 'through the proxy'));
    case 'api-ended':
      return line(
        'Answer',
        joined(status(e.status), formatDuration(e.milliseconds), e.bytes !== null && formatSize(e.bytes), e.code),
        e.code ? 'danger' : 'success',
      );
    case 'action': {
      const [detail, tone] = known(ACTION_STATES, e.state) ?? [e.state, 'plain'];
      return line(known(ACTIONS, e.action) ?? e.action, joined(detail, e.message, e.code), tone);
    }
    case 'csp':
      return line('Refused by the page’s policy', joined(e.directive, e.blocked), 'danger');
    case 'settled':
      return line(
        `${e.call}() ${e.code === null ? 'resolved' : 'rejected'}`,
        joined(formatDuration(e.milliseconds), e.message, e.code),
        e.code === null ? 'success' : 'danger',
      );
    case 'navigated':
      return line('Page', e.url);
    case 'dropped':
      return line(`${plural(e.count, 'event')} left out`, 'The page tells more than is held.', 'warning');
  }
}
