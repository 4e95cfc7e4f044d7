/**
 * The fields and types of each kind of event. The agent uses them to read events, and the panel uses them to validate
 * events.
 */
import type { OAuth2Event } from './contract.ts';

/** `word`: a code or name; `text`: a sentence; `url`: a masked URL; `lines`: texts as the service sent them, with masked secrets; `?`: nullable. */
export type Field =
  | 'word'
  | 'text'
  | 'url'
  | 'flag'
  | 'number'
  | 'words'
  | 'lines?'
  | 'word?'
  | 'text?'
  | 'flag?'
  | 'number?'
  | 'token?';
type Fields = Record<string, Field>;

export const EVENT_FIELDS: Record<OAuth2Event['kind'], Fields> = {
  configured: {},
  'login-started': {
    grantType: 'word',
    pkce: 'flag?',
    authUrl: 'url',
    redirectUrl: 'url',
    scope: 'text?',
    shared: 'flag',
  },
  popup: { state: 'word' },
  callback: { origin: 'url', parameters: 'words', error: 'word?', description: 'text?' },
  'state-checked': { matches: 'flag' },
  'token-requested': { grant: 'word', url: 'url', proxy: 'flag', reason: 'word' },
  'token-answered': {
    status: 'number?',
    milliseconds: 'number',
    code: 'word?',
    error: 'word?',
    description: 'text?',
    clockAhead: 'number?',
    token: 'token?',
  },
  session: { change: 'word', persistent: 'flag' },
  event: { name: 'word', code: 'word?' },
  'api-started': { call: 'number', method: 'word', url: 'url', proxy: 'flag' },
  'api-ended': {
    call: 'number',
    status: 'number?',
    milliseconds: 'number',
    bytes: 'number?',
    code: 'word?',
    headers: 'lines?',
  },
  action: { action: 'word', id: 'number', state: 'word', code: 'word?', message: 'text?', milliseconds: 'number?' },
  csp: { directive: 'word', blocked: 'url' },
  refused: { call: 'word', code: 'word?', message: 'text', option: 'word?' },
  settled: { call: 'word', code: 'word?', message: 'text?', milliseconds: 'number' },
};

/** The fields of `token` in a `token-answered` event. */
export const TOKEN_FIELDS: Fields = { type: 'word', expiresIn: 'number?', scope: 'text?', refreshable: 'flag' };
