/** Tests every form of a secret in every place of a run: known tokens however they’re encoded, others by their names. */
import { describe, expect, it } from 'vitest';
import {
  type Recording,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedRequest,
} from '../../../../lib/debugging/recording/format.ts';
import { maskRecording } from '../../../../lib/debugging/recording/mask.ts';
import type { RecordedValue } from '../../../../lib/debugging/recording/values.ts';
import { DetailBudget } from '../../../../lib/extension/inspector/agent/network/request-details.ts';
import { maskData } from '../../../../lib/extension/panel/run/secrets/mask-data.ts';

const TOKEN = 'tok-7f3a/9c+2e1b.Zq~84==';
const PLANTED = 'Hunter2-x7Kq9Zp';

type Plant = (recording: Recording) => void;

const nothing = (): Recording => ({
  format: RECORDING_FORMAT,
  version: RECORDING_VERSION,
  startedAt: '2026-01-01T00:00:00Z',
  milliseconds: 1,
  engine: 'ours',
  pipeline: [],
  payload: null,
  steps: [{ path: '/0', iteration: [], kind: 'function', state: 'completed', at: 0, milliseconds: 1 }],
  end: { state: 'stopped' },
  lost: 0,
});
const request = (fields: Partial<RecordedRequest>): Plant => {
  return (recording) => (recording.requests = [{ at: 0, method: 'GET', url: '/', ...fields }]);
};
const logged = (...args: RecordedValue[]): Plant => {
  return (recording) => (recording.console = [{ at: 0, level: 'log', args }]);
};

/** All strings of a value, with the names of its properties. */
function stringsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, item]) => `${name}\0${stringsOf(item)}`)
    .join('\0');
}

/** Whether six characters in a row of what is secret are left. */
function leaks(strings: string, secret: string): boolean {
  for (let at = 0; at + 6 <= secret.length; at++) if (strings.includes(secret.slice(at, at + 6))) return true;
  return false;
}

const maskedStrings = (plant: Plant, secrets: string[] = []): string => {
  const recording = nothing();
  plant(recording);
  return stringsOf(maskRecording(recording, secrets));
};

const everyByte = (text: string, write: (code: string) => string): string =>
  [...text].map((character) => write(character.charCodeAt(0).toString(16).padStart(2, '0'))).join('');
const inLines = (text: string, lineBreak: string): string => text.replaceAll(/.{76}/g, `$&${lineBreak}`);
const long = btoa(`${'x'.repeat(40)}${TOKEN}${'y'.repeat(40)}`);

/** How a known token is written. */
const ENCODED: Record<string, string> = {
  'as it is': TOKEN,
  'percent-encoded': encodeURIComponent(TOKEN),
  'percent-encoded in lowercase': encodeURIComponent(TOKEN).replaceAll(/%../g, (byte) => byte.toLowerCase()),
  'with %2D': TOKEN.replace('-', '%2D'),
  'with %2d and %7e': TOKEN.replace('-', '%2d').replace('~', '%7e'),
  'with every byte encoded': everyByte(TOKEN, (code) => `%${code}`),
  'with every byte encoded in capitals': everyByte(TOKEN, (code) => `%${code.toUpperCase()}`),
  'percent-encoded twice': encodeURIComponent(encodeURIComponent(TOKEN)),
  'percent-encoded three times': encodeURIComponent(encodeURIComponent(encodeURIComponent(TOKEN))),
  'with \\u002d': TOKEN.replace('-', '\\u002d').replace('/', '\\/'),
  'with every character as \\u': everyByte(TOKEN, (code) => `\\u00${code}`),
  'with every character as \\x': everyByte(TOKEN, (code) => `\\x${code}`),
  'with \\u{2d}': TOKEN.replace('-', '\\u{2d}'),
  'with \\u002d in JSON text in JSON': JSON.stringify(TOKEN.replace('-', '\\u002d')),
  'with &#45;': TOKEN.replace('-', '&#45;'),
  'with &#x2d;': TOKEN.replace('-', '&#x2d;').replace('/', '&#x2F;'),
  'with every character as &#x': everyByte(TOKEN, (code) => `&#x${code};`),
  'with &amp;#45;': TOKEN.replace('-', '&amp;#45;'),
  'in hexadecimal': everyByte(TOKEN, (code) => code),
  'in hexadecimal in capitals': everyByte(TOKEN, (code) => code.toUpperCase()),
  'in Base64': btoa(TOKEN),
  'in Base64 after one character': btoa(`:${TOKEN}`),
  'in Base64 after two characters': btoa(`a:${TOKEN}`),
  'in Base64 without padding': btoa(TOKEN).replaceAll('=', ''),
  'in Base64 for URLs': btoa(TOKEN).replaceAll('+', '-').replaceAll('/', '_'),
  'in Base64 that is percent-encoded': encodeURIComponent(btoa(`ab${TOKEN}`)),
  'percent-encoded in Base64': btoa(`id:${encodeURIComponent(TOKEN)}`),
  'in Base64 of several lines': inLines(long, '\n'),
  'in Base64 of several lines with CRLF': inLines(long, '\r\n'),
  'in Base64 of several indented lines': inLines(long, '\n    '),
  'in Base64 with escaped line breaks': inLines(long, '\\n'),
  'in Base64 with escaped CRLF': inLines(long, '\\r\\n'),
  'in Base64 with encoded line breaks': inLines(long, '%0A').replaceAll('+', '%2B'),
  'in quoted-printable': TOKEN.replaceAll('=', '=3D').replace('-', '=2D'),
  'in quoted-printable over two lines': TOKEN.replaceAll('=', '=3D').replace('7f3a', '7f=\r\n3a'),
  'over two lines': TOKEN.replace('9c', '9c\n'),
};

/** Where a text is in a recording. */
const TEXT_PLACES: Record<string, (text: string) => Plant> = {
  'the payload': (text) => (recording) => (recording.payload = text),
  'part of the payload': (text) => (recording) => (recording.payload = [{ a: `before ${text} after` }]),
  'the pipeline’s settings': (text) => (recording) => (recording.pipeline = [{ function: 'a', settings: { text } }]),
  'the pipeline’s loop': (text) => (recording) => (recording.pipeline = [{ type: 'loop', items: text }]),
  'a step’s value':
    (text) =>
    ({ steps }) =>
      (steps[0]!.value = { text }),
  'a change':
    (text) =>
    ({ steps }) =>
      (steps[0]!.changes = [['/a', [text]]]),
  'the name of a property':
    (text) =>
    ({ steps }) =>
      (steps[0]!.changes = [['/a', { [text]: 1 }]]),
  'an error’s message':
    (text) =>
    ({ steps }) =>
      (steps[0]!.error = { name: 'Error', message: `Failed: ${text}.` }),
  'a thrown value':
    (text) =>
    ({ steps }) =>
      (steps[0]!.error = { name: '', message: '', thrown: [text] }),
  'the run’s result': (text) => (recording) => (recording.end = { state: 'completed', result: { text } }),
  'a console line': (text) => logged(`Sent ${text} to it`),
  'an object of a console line': (text) => logged({ text }),
  'the path of a URL': (text) => request({ url: `https://a.example/${text}/b` }),
  'the query of a URL': (text) => request({ url: `https://a.example/?x=${text}&y=1` }),
  'a header': (text) => request({ headers: [['x-a', text]] }),
  'a form': (text) => request({ body: { text: `a=1&x=${text}&b=2` } }),
  JSON: (text) => request({ responseBody: { text: JSON.stringify({ a: 1, x: text }) } }),
  'JSON in JSON': (text) => request({ body: { text: JSON.stringify({ x: JSON.stringify({ text }) }) } }),
  XML: (text) => request({ body: { text: `<a><b>${text}</b></a>` } }),
  CDATA: (text) => request({ body: { text: `<a><![CDATA[${text}]]></a>` } }),
  'a request’s error': (text) => request({ error: text }),
};

/** Names that give a secret away. */
const NAMES = `
  Authorization Proxy-Authorization Cookie Set-Cookie Auth-token access_token accessToken refresh_token id_token
  idToken token X-CSRF-Token csrftoken client_secret secret apiKey api_key X-API-Key apikey password userPassword
  new_password passwd pwd passphrase private_key privateKey secretAccessKey assertion client_assertion otp smsOtp
  session_id sessionId JSESSIONID X-Amz-Signature X-Amz-Security-Token code_verifier jwt credentials device_code
  password2`
  .trim()
  .split(/\s+/);

const part = (name: string, lineBreak: string): string =>
  ['--b', `Content-Disposition: form-data; name="${name}"`, '', PLANTED, '--b--'].join(lineBreak);
/** How a text gives a value and its name. */
const NAMED: Record<string, (name: string) => string> = {
  'a header’s line': (name) => `GET /\r\n${name}: ${PLANTED}\r\nHost: a`,
  'the query of a URL': (name) => `https://a.example/?a=1&${name}=${PLANTED}&c=d`,
  'the fragment of a URL': (name) => `https://a.example/#a=1&${name}=${PLANTED}`,
  'a form': (name) => `a=1&${name}=${PLANTED}&c=d`,
  'a field in a form': (name) => `a=1&user[${name}]=${PLANTED}&c=d`,
  'a percent-encoded name': (name) => `a=1&user%5B${name.replace('e', '%65')}%5D=${PLANTED}&c=d`,
  JSON: (name) => JSON.stringify({ a: 1, [name]: PLANTED, b: 2 }),
  'JSON of several lines': (name) => JSON.stringify({ a: { [name]: PLANTED } }, null, 2),
  'JSON that is cut off': (name) => `{"a":{"${name}":"${PLANTED}`,
  'a list in JSON': (name) => JSON.stringify({ [name]: [PLANTED] }),
  'JSON in JSON': (name) => JSON.stringify({ a: JSON.stringify({ [name]: PLANTED }) }),
  'JSON in JSON in JSON': (name) => JSON.stringify(JSON.stringify(JSON.stringify({ [name]: PLANTED }))),
  'JSON in a form': (name) => `data=${encodeURIComponent(JSON.stringify({ a: 1, [name]: PLANTED }))}&b=2`,
  'JSON in a form, encoded twice': (name) =>
    `data=${encodeURIComponent(encodeURIComponent(JSON.stringify({ [name]: PLANTED })))}`,
  'a URL in a URL': (name) => `/?next=${encodeURIComponent(`/a?b=1&${name}=${PLANTED}`)}`,
  'JSON in an attribute': (name) => `<a data-x="${JSON.stringify({ [name]: PLANTED }).replaceAll('"', '&quot;')}">`,
  'a form of several parts': (name) => part(name, '\r\n'),
  'a form of several parts with LF': (name) => part(name, '\n'),
  'a form of several parts in JSON': (name) => JSON.stringify({ body: part(name, '\r\n') }),
  'a list of pairs': (name) =>
    JSON.stringify([
      ['a', 'b'],
      [name, PLANTED],
      ['c', 'd'],
    ]),
  'a list of pairs with spaces': (name) => JSON.stringify([[name, PLANTED]], null, 2),
  'a list of pairs in JSON': (name) => JSON.stringify({ headers: JSON.stringify([[name, PLANTED]]) }),
  'a name and a value': (name) => JSON.stringify([{ name, value: PLANTED }]),
  'a key and a value': (name) => JSON.stringify({ list: [{ key: name, enabled: true, value: PLANTED }] }),
  'a value and a name': (name) => JSON.stringify({ list: [{ value: PLANTED, name }] }),
  'a name and a value as Node writes it': (name) => `{ name: '${name}', value: '${PLANTED}' }`,
  'a name and a value in a form': (name) => `x=${encodeURIComponent(JSON.stringify([{ name, value: PLANTED }]))}`,
  XML: (name) => `<a><${name}>${PLANTED}</${name}></a>`,
  'XML with a prefix and an attribute': (name) => `<a:${name} b="c">${PLANTED}</a:${name}>`,
  CDATA: (name) => `<a><${name}><![CDATA[${PLANTED}]]></${name}></a>`,
  'the attributes of an element': (name) => `<input type="text" name="${name}" value="${PLANTED}">`,
  'an element’s name as an attribute': (name) => `<field name="${name}">${PLANTED}</field>`,
  'XML in JSON': (name) => JSON.stringify({ body: `<a b="c"><${name}>${PLANTED}</${name}></a>` }),
  'a sentence': (name) => `The ${name}: ${PLANTED} is wrong`,
};

/** Where a recording gives a value and its name. */
const NAMED_PLACES: Record<string, (name: string) => Plant> = {
  'the payload': (name) => (recording) => (recording.payload = { a: [{ [name]: PLANTED }] }),
  'an object': (name) => (recording) => (recording.payload = { [name]: { deep: [PLANTED] } }),
  'a name and a value': (name) => (recording) => (recording.payload = [{ name, value: PLANTED }]),
  'a pair in a list': (name) => (recording) => (recording.payload = [[name, PLANTED]]),
  'a context’s change':
    (name) =>
    ({ steps }) =>
      (steps[0]!.changes = [['/a', { [name]: PLANTED }]]),
  'a change’s path':
    (name) =>
    ({ steps }) =>
      (steps[0]!.changes = [[`/a/${name}`, PLANTED]]),
  'the result': (name) => (recording) => (recording.end = { state: 'completed', result: { [name]: PLANTED } }),
  'a step’s value':
    (name) =>
    ({ steps }) =>
      (steps[0]!.value = { [name]: PLANTED }),
  settings: (name) => (recording) => (recording.pipeline = [{ function: 'a', settings: { [name]: PLANTED } }]),
  'a console line after its label': (name) => logged(`${name}:`, PLANTED),
  'a console line’s object': (name) => logged({ [name]: PLANTED }),
  'a header': (name) => request({ headers: [[name, PLANTED]] }),
  'a response’s header': (name) => request({ responseHeaders: [[name, PLANTED]] }),
};

const SHOWN: Record<string, (text: string) => string> = {
  'a recording’s body': (text) => maskedStrings(request({ body: { text } })),
  'a recording’s console': (text) => maskedStrings(logged(text)),
  'a recording’s context': (text) => maskedStrings(({ steps }) => (steps[0]!.changes = [['/a', text]])),
  'the page’s request log': (text) => new DetailBudget().body(text).text,
  'what the panel stores': (text) =>
    stringsOf(maskData([{ kind: 'console', args: [{ t: 'string', v: text }] }], (all) => all)),
};

/** Those of all combinations in which something of the secret is left. */
function missed<A, B>(
  one: Record<string, A>,
  other: Record<string, B>,
  leak: (one: A, other: B) => boolean,
): { missed: string[]; count: number } {
  const all = Object.entries(one).flatMap(([a, given]) =>
    Object.entries(other).map(([b, place]) => [leak(given, place), `${a}, in ${b}`] as const),
  );
  return { missed: all.filter(([isLeak]) => isLeak).map(([, text]) => text), count: all.length };
}

const names = Object.fromEntries(NAMES.map((name) => [name, name]));

describe('nothing is left', () => {
  it('of a known token, however it is written, in any place', () => {
    const found = missed(ENCODED, TEXT_PLACES, (text, place) => leaks(maskedStrings(place(text), [TOKEN]), text));
    expect(found).toEqual({ missed: [], count: 36 * 21 });
  });

  it('of a value whose name gives it away, in any place of a recording', () => {
    const found = missed(NAMED_PLACES, names, (place, name) => leaks(maskedStrings(place(name)), PLANTED));
    expect(found).toEqual({ missed: [], count: 13 * 42 });
  });

  it.each(Object.entries(SHOWN))('of a value whose name gives it away, in any text, in %s', (_, show) => {
    const found = missed(NAMED, names, (text, name) => leaks(show(text(name)), PLANTED));
    expect(found).toEqual({ missed: [], count: 34 * 42 });
  });
});

/** Names and values that are no secrets. */
const HARMLESS = {
  tokens: 3,
  maxTokens: 100,
  tokenCount: 5,
  prompt_tokens: 'many',
  nextPageToken: 'CAUQAA',
  continuationToken: 'x',
  author: 'Ada',
  authored: 'yes',
  authority: 'a',
  secretary: 'Bob',
  passenger: 'Cy',
  passengers: ['Di'],
  passport: 'yes',
  compass: 'N',
  bypass: 'a',
  password_hint: 'pet',
  hasPassword: true,
  passwordLength: 12,
  otpEnabled: false,
  option: 'a',
  adopt: 'b',
  laptop: 'c',
  desktop: 'd',
  hotpot: 'e',
  key: 'k',
  keys: ['k'],
  keyboard: 'qwerty',
  monkey: 'm',
  publicKey: 'p',
  primaryKey: 'id',
  code: 'E42',
  codeword: 'w',
  codes: [1],
  state: 'CA',
  nonce: 'n',
  status: 'ok',
  session: 'morning',
  sessions: 2,
  sessionCount: 4,
  log: { id: 9, sessionId: 77 },
  session_id: '77',
  signature: 'Best, Ada',
  signal: 's',
  design: 'd',
  cookieBanner: 'on',
  cookieless: 'x',
  assertions: 2,
  credentialsMode: 'a',
  fetch: { credentials: 'same-origin' },
  token: null,
  password: '',
  secret: false,
  apiKey: 'undefined',
  verify: 'v',
  name: 'Ada',
  value: 'x',
  header: 'h',
  pairs: [
    ['name', 'Ada'],
    ['state', 'CA'],
  ],
  columns: ['password', 'email'],
  list: [{ name: 'state', value: 'CA' }],
};
const HARMLESS_TEXTS = [
  'Unexpected token } in JSON at position 1',
  'The token has expired',
  'Forgot your password?',
  'a secret garden',
  'https://a.example/?state=CA&code=E42&page=2',
  'https://a.example/cookies/token',
  'keyword: lemon; option=b',
  '{"message":"no such option: laptop"}',
  '<state>CA</state><author name="Ada">x</author>',
  'tokens: 3, maxTokens=100',
  'password=&a=1',
  '{"token":null,"secret":"","password":true}',
  "fetch(a, { credentials: 'include' })",
  '{"name":"state","value":"CA"}',
  '["password","email"]',
  '100%25 of 5 &amp; \\u0041 =3D \r\n C:\\temp',
  'Basic needs',
  'at Token.next (https://a.example/token.js:12:34)',
  'e=mc2 &#45; a\\nb',
  '<input name="email" value="a@b.example">',
  'Content-Disposition: form-data; name="email"\r\n\r\na@b.example\r\n--b--',
  '{"token_type":"Bearer","expires_in":3}',
  '{"sessionId":77,"type":"app.open"}',
  'https://a.example/?sessionId=77&page=2',
];

describe('what is no secret stays as it is', () => {
  it('under names that only look alike, in a recording', () => {
    const recording = { ...nothing(), payload: HARMLESS as unknown as RecordedValue };
    expect(maskRecording(recording, [TOKEN])).toEqual(recording);
    expect(maskRecording({ ...recording, payload: JSON.stringify(HARMLESS) }).payload).toBe(JSON.stringify(HARMLESS));
  });

  it('as the number of a log record’s session, also where it changes and after its label', () => {
    const recording = { ...nothing(), payload: { trigger: 'a', log: { sessionId: 77 } } };
    recording.steps[0]!.changes = [['/log/sessionId', 78]];
    logged('sessionId:', 78)(recording);
    request({ url: 'https://a.example/?sessionId=78' })(recording);
    expect(maskRecording(recording)).toEqual(recording);
    const events = [
      { path: '/log/sessionId', before: { t: 'number', v: 77 }, after: { t: 'number', v: 78 } },
      { t: 'object', size: 1, entries: [['sessionId', { t: 'number', v: 77 }]] },
    ];
    expect(maskData(events, (text) => text)).toBe(events);
  });

  it('under names that only look alike, in what the panel stores', () => {
    expect(maskData(HARMLESS, (text) => text)).toBe(HARMLESS);
  });

  it.each(HARMLESS_TEXTS)('in a text: %s', (text) => {
    const recording = nothing();
    recording.console = [{ at: 0, level: 'log', args: [text, 'a value'] }];
    expect(maskRecording(recording, [TOKEN])).toEqual(recording);
  });
});

describe('a long text is read in steps as many as it has characters', () => {
  // Read in steps as many as the square of it, each would take minutes.
  it.each([' ', '"', '\\', '%C3', 'value: "', '<a name="token" ', '["token",["', '{"value":{'])('of %j', (text) => {
    const long = text.repeat(150_000 / text.length);
    for (const given of [`password ${long}`, `"password":"${long}`, `${long} password`])
      expect(maskedStrings(logged(given, 'a'), [TOKEN]).length).toBeGreaterThan(100);
  });
});
