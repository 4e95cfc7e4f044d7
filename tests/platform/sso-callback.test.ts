/** Tests `GET /v1/auth/sso-callback`, the page that posts a callback only to the app that opened it. */
import { createContext, runInContext } from 'node:vm';
import { Window } from 'happy-dom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start, startForTest, type TestPlatform } from './support/platform.ts';

const PATH = '/v1/auth/sso-callback';
const MEGABYTE = 1024 * 1024;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await start({ appOrigins: ['https://app.example.com'] });
});
afterAll(() => platform.close());

interface Shown {
  title: string;
  text: string;
  state: string | null;
  address: string;
  posted: { message: unknown; origin: string }[];
  document: Window['document'];
}

/** Runs the page with or without an opener. */
async function open(callback: string, { opener = true, on = platform } = {}): Promise<Shown> {
  const { text } = await on.ask(PATH, { token: null });
  const window = new Window({
    url: on.baseUrl + PATH + callback,
    settings: { disableJavaScriptEvaluation: true, disableJavaScriptFileLoading: true, disableCSSFileLoading: true },
  });
  const { document, location, history } = window;
  document.write(text);
  const posted: Shown['posted'] = [];
  const page = createContext({
    document,
    location,
    history,
    URLSearchParams,
    window: {
      opener: opener
        ? {
            postMessage: (message: unknown, origin: string) =>
              posted.push({ message: structuredClone(message), origin }),
          }
        : null,
    },
  });
  for (const [, src] of text.matchAll(/<script src="([^"]*)">/g))
    runInContext((await on.ask(src!, { token: null })).text, page);
  return {
    title: document.title,
    text: document.getElementById('text')!.textContent,
    state: document.querySelector('main')!.getAttribute('data-state'),
    address: location.href,
    posted,
    document,
  };
}

describe('The callback page', () => {
  it('needs no token, is not cached, sends no Referer, and runs only its own script', async () => {
    const { status, headers, text } = await platform.ask(`${PATH}?code=abc`, { token: null });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script type="application/json" id="app-origins">',
      '<script src="/v1/packages/sso-callback.js">',
    ]);
    expect(text).not.toMatch(/\son\w+=/);
  });

  it('is the same for every query, which the server never renders', async () => {
    const markup = encodeURIComponent('</script><script>alert(1)</script>');
    const [plain, hostile] = await Promise.all([
      platform.ask(PATH),
      platform.ask(`${PATH}?error=${markup}&error_description=${markup}&${markup}`),
    ]);
    expect(hostile.text).toBe(plain.text);
  });
});

describe('The posted callback', () => {
  it.each([
    ['?code=a%20b&state=s&iss=x', '?code=a%20b&state=s&iss=x', ''],
    ['#access_token=t&state=s&expires_in=5', '', '#access_token=t&state=s&expires_in=5'],
    ['?code=a&code=b', '?code=a&code=b', ''],
    ['?error=access_denied&state=s', '?error=access_denied&state=s', ''],
    ['?a=1#b=2', '?a=1', '#b=2'],
  ])('is %s unchanged', async (response, query, fragment) => {
    const { posted } = await open(response);
    expect(posted[0]!.message).toEqual({ type: 'platform-oauth2:callback', query, fragment });
  });

  it('is sent to the platform’s origin and the configured ones, never to *', async () => {
    expect((await open('?code=x')).posted.map(({ origin }) => origin)).toEqual([
      platform.baseUrl,
      'https://app.example.com',
    ]);
    const other = await startForTest();
    expect((await open('?code=x', { on: other })).posted.map(({ origin }) => origin)).toEqual([other.baseUrl]);
  });

  it.each(['?code=secret', '#access_token=secret', '?error=x#y=secret', ''])(
    'is removed from the URL: %s',
    async (response) => {
      for (const opener of [true, false])
        expect((await open(response, { opener })).address).toBe(platform.baseUrl + PATH);
    },
  );

  it('is not posted without parameters or without an opener', async () => {
    expect((await open('')).posted).toEqual([]);
    expect((await open('?code=x', { opener: false })).posted).toEqual([]);
  });
});

describe('The text of the callback page', () => {
  it.each([
    [
      '?code=x',
      true,
      'passed',
      'Login passed to the app',
      'Return to the app to see if you are logged in. You can close this window.',
    ],
    [
      '#access_token=x',
      true,
      'passed',
      'Login passed to the app',
      'Return to the app to see if you are logged in. You can close this window.',
    ],
    ['?code=x', false, 'no-opener', 'The app isn’t open', /log in again in the app\.$/],
    ['', true, 'empty', 'No login to complete', /Start the login in the app\.$/],
    ['', false, 'empty', 'No login to complete', /Start the login in the app\.$/],
    [
      '?code=x&error_code=0&error_message=OK',
      true,
      'passed',
      'Login passed to the app',
      'Return to the app to see if you are logged in. You can close this window.',
    ],
    ['?code=&error=', true, 'unknown', 'Not a login response', /neither a code nor a token/],
    ['?foo=bar', true, 'unknown', 'Not a login response', /neither a code nor a token/],
    [
      '?error=access_denied&error_description=No.',
      true,
      'error',
      'Login failed',
      'The service refused with “access_denied”: No. You can close this window.',
    ],
    [
      '?error_code=100&error_message=Wrong%20app.',
      true,
      'error',
      'Login failed',
      'The service refused with “100”: Wrong app. You can close this window.',
    ],
    [
      '#error_message=Wrong%20app',
      true,
      'error',
      'Login failed',
      'The service refused with “Wrong app”. You can close this window.',
    ],
    [
      '#error=server_error',
      false,
      'error',
      'Login failed',
      'The service refused with “server_error”. Close this window and try again in the app.',
    ],
  ])('for %s with an opener: %s', async (response, opener, state, title, text) => {
    const shown = await open(response, { opener });
    expect(shown.state).toBe(state);
    expect(shown.title).toBe(title);
    expect(shown.document.getElementById('title')!.textContent).toBe(title);
    expect(shown.text).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
  });

  it('shows markup as text, and truncates a long error', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const shown = await open(
      `#error=${encodeURIComponent(markup)}&error_description=${encodeURIComponent(markup + 'x'.repeat(MEGABYTE))}`,
    );
    expect(shown.text).toContain(markup);
    expect(shown.text.length).toBeLessThan(600);
    expect(shown.document.querySelectorAll('img')).toHaveLength(0);
    expect((shown.posted[0]!.message as { fragment: string }).fragment.length).toBeGreaterThan(MEGABYTE);
  });

  it('never contains a code or a token', async () => {
    for (const response of ['?code=s3cret', '#access_token=s3cret', '?code=s3cret&error=x'])
      expect((await open(response)).document.documentElement.textContent).not.toContain('s3cret');
  });
});
