/** Tests that no part of a masked recording has a secret, and that a replay knows what was masked. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { maskRecording, maskRecordingWith } from '../../../../lib/debugging/recording/mask.ts';
import { parseRecording, writeRecording } from '../../../../lib/debugging/recording/file/parse.ts';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';
import { functions, payload, pipeline } from '../../pipeline/random-pipelines.ts';
import { record } from '../record.ts';

/** The environment's token, and what only its name gives away. */
const TOKEN = 'tok/7f3a+9c2e1b';
const PLANTED = 'hunter-2-planted';

const NAMES = [
  'Authorization',
  'authorization',
  'COOKIE',
  'Set-Cookie',
  'set_cookie',
  'Auth-token',
  'auth_token',
  'access_token',
  'accessToken',
  'ACCESS-TOKEN',
  'refresh_token',
  'client_secret',
  'clientSecret',
  'password',
  'userPassword',
];

const STEP: Pipeline = [{ functionPackage: 'step', settings: {} }];

/** The recording of a run whose step has changed something in the context, and returned something. */
async function recorded(change: (context: Record<string, unknown>) => unknown, given = {}): Promise<Recording> {
  const { recording } = await record(STEP, { step: (_, context) => change(context) }, { payload: given });
  return recording;
}

const textOf = (recording: Recording, secrets: string[] = []): string =>
  writeRecording(maskRecording(recording, secrets));

/** How a change of a recording with a planted secret looks in a masked one. */
async function maskedWith(plant: (recording: Recording) => void, secrets: string[] = []): Promise<string> {
  const recording = await recorded(() => 1);
  plant(recording);
  const text = textOf(recording, secrets);
  expect(parseRecording(text)).toMatchObject({ ok: true });
  return text;
}

describe.each(NAMES)('a value named %s is masked', (name) => {
  test.each<[string, (recording: Recording) => void]>([
    ['in the payload', (recording) => (recording.payload = { a: [{ [name]: PLANTED }] })],
    ['as an object', (recording) => (recording.payload = { [name]: { deep: [PLANTED] } })],
    ['beside a property named $', (recording) => (recording.payload = { $: 'entries', value: [[name, PLANTED]] })],
    ['as a name and a value', (recording) => (recording.payload = [{ name, value: PLANTED }])],
    ['in a step’s value', ({ steps }) => (steps[0]!.value = { [name]: PLANTED })],
    ['in a change', ({ steps }) => (steps[0]!.changes = [['/a', { [name]: PLANTED }]])],
    ['at the end of a change’s path', ({ steps }) => (steps[0]!.changes = [[`/a/${name}`, PLANTED]])],
    ['inside of a change’s path', ({ steps }) => (steps[0]!.changes = [[`/a/${name}/deep`, PLANTED]])],
    ['in a late change', ({ steps }) => (steps[0]!.late = [{ changes: [[`/${name}`, PLANTED]] }])],
    ['in the result', (recording) => (recording.end = { state: 'completed', result: { [name]: PLANTED } })],
    ['in a thrown value', ({ steps }) => (steps[0]!.error = { name: '', message: '', thrown: { [name]: PLANTED } })],
    ['in an error’s message', ({ steps }) => (steps[0]!.error = { name: '', message: `Bad ${name}: ${PLANTED}` })],
    [
      'in the message of the run’s error',
      (recording) => (recording.end = { state: 'failed', error: { name: 'Error', message: `${name}=${PLANTED}` } }),
    ],
    [
      'in settings',
      (recording) => (recording.pipeline = [{ function: 'a', settings: { headers: { [name]: PLANTED } } }]),
    ],
    ['in JSON text', (recording) => (recording.payload = [JSON.stringify({ a: { [name]: PLANTED } })])],
    ['in form text', (recording) => (recording.payload = [`a=b&${name}=${PLANTED}&c=d`])],
    ['in a console line', (recording) => (recording.console = [line(`The ${name}: ${PLANTED}`)])],
    ['in an object of a console line', (recording) => (recording.console = [line({ [name]: PLANTED })])],
    ['after its name in a console line', (recording) => (recording.console = [line(`${name}:`, PLANTED)])],
    [
      'in the text of a lost value',
      (recording) => (recording.payload = { $: 'lost', value: 'too-large', text: `${name}=${PLANTED}` }),
    ],
    [
      'as the text of a lost value',
      (recording) => (recording.payload = { [name]: { $: 'lost', value: 'too-large', text: PLANTED } }),
    ],
    [
      'in a URL’s query',
      (recording) => (recording.requests = [request({ url: `https://a.example/b?${name}=${PLANTED}&c=d` })]),
    ],
    [
      'in a URL’s fragment',
      (recording) => (recording.requests = [request({ url: `https://a.example/#x=1&${name}=${PLANTED}` })]),
    ],
    ['in a header', (recording) => (recording.requests = [request({ headers: [[name, PLANTED]] })])],
    ['in a response’s header', (recording) => (recording.requests = [request({ responseHeaders: [[name, PLANTED]] })])],
    [
      'in a JSON body',
      (recording) => (recording.requests = [request({ body: { text: JSON.stringify({ [name]: PLANTED }) } })]),
    ],
    ['in a form body', (recording) => (recording.requests = [request({ body: { text: `${name}=${PLANTED}` } })])],
    [
      'in a response’s body that is cut off',
      (recording) =>
        (recording.requests = [request({ responseBody: { text: `{"${name}":"${PLANTED}`, cut: 'length' } })]),
    ],
    ['in a request’s error', (recording) => (recording.requests = [request({ error: `${name}=${PLANTED}` })])],
  ])('%s', async (_, plant) => {
    const recording = await recorded(() => 1);
    plant(recording);
    expect(writeRecording(recording)).toContain(PLANTED);
    expect(await maskedWith(plant)).not.toContain(PLANTED);
  });
});

const line = (
  ...args: NonNullable<Recording['console']>[number]['args']
): NonNullable<Recording['console']>[number] => ({
  at: 0,
  level: 'log',
  args,
});
const request = (
  fields: Partial<NonNullable<Recording['requests']>[number]>,
): NonNullable<Recording['requests']>[number] => ({ at: 0, method: 'GET', url: '/', ...fields });

describe('a known secret is masked', () => {
  const basic = (text: string): string => `Basic ${btoa(text)}`;
  test.each<[string, string]>([
    ['as a whole string', TOKEN],
    ['as part of a string', `before ${TOKEN} after`],
    ['in a path', `https://a.example/${TOKEN}/b`],
    ['URL-encoded', `https://a.example/?x=${encodeURIComponent(TOKEN)}`],
    ['URL-encoded in lowercase', 'x=tok%2f7f3a%2b9c2e1b'],
    ['in Base64 as a password', basic(`me:${TOKEN}`)],
    ['in Base64 after another length of name', basic(`you:${TOKEN}`)],
    ['in Base64 after a third length of name', basic(`somebody:${TOKEN}`)],
    ['in Base64 as a user', basic(`${TOKEN}:`)],
    ['in Base64 for URLs', btoa(`ab:${TOKEN}?`).replaceAll('+', '-').replaceAll('/', '_')],
    ['in Base64 in JSON', JSON.stringify({ a: btoa(`{"a":"${TOKEN}"}`) })],
  ])('%s', async (_, text) => {
    const leaks = [TOKEN, encodeURIComponent(TOKEN), text];
    for (const masked of [
      await maskedWith((recording) => (recording.payload = [text]), [TOKEN]),
      await maskedWith((recording) => (recording.pipeline = [{ function: 'a', settings: { text } }]), [TOKEN]),
      await maskedWith(
        (recording) => (recording.pipeline = [{ function: 'a' }, { type: 'loop', items: text }]),
        [TOKEN],
      ),
      await maskedWith(({ steps }) => (steps[0]!.changes = [['/a', text]]), [TOKEN]),
      await maskedWith(({ steps }) => (steps[0]!.error = { name: 'Error', message: text }), [TOKEN]),
      await maskedWith((recording) => (recording.console = [line(text)]), [TOKEN]),
      await maskedWith((recording) => (recording.requests = [request({ url: text })]), [TOKEN]),
      await maskedWith((recording) => (recording.requests = [request({ headers: [['x-a', text]] })]), [TOKEN]),
      await maskedWith((recording) => (recording.requests = [request({ responseBody: { text } })]), [TOKEN]),
      await maskedWith((recording) => (recording.action = { name: text }), [TOKEN]),
    ])
      for (const leak of leaks) expect(masked).not.toContain(JSON.stringify(leak).slice(1, -1));
  });

  test('as a property’s name, in values and in paths alike', async () => {
    const recording = await recorded((context) => (context.sessions = { member123: { n: 1 } }));
    recording.steps[0]!.changes!.push(['/sessions/member123/n', 2]);
    const masked = maskRecording(recording, ['member123']);
    expect(masked.steps[0]!.changes).toEqual([
      ['/sessions', { '••••': { n: 1 } }],
      ['/sessions/••••/n', 2],
    ]);
  });

  test('even if it’s short, but then only as a whole string', async () => {
    const masked = maskRecording(await recorded(() => 1, { a: 'abc', b: 'abcd' }), ['abc']);
    expect(masked.payload).toEqual({ a: { $: 'lost', value: 'masked', text: '••••' }, b: 'abcd' });
  });

  test('if it has characters that JSON escapes', async () => {
    const secret = 'to"ken\\1';
    const text = await maskedWith((recording) => (recording.payload = [JSON.stringify([secret])]), [secret]);
    expect(text).not.toMatch(/ken.{1,4}1/);
  });
});

describe('a URL', () => {
  it.each([
    ['https://me:hunter2@a.example/', 'https://••••@a.example/'],
    ['see https://me:p@ss@a.example/?x=1', 'see https://••••@a.example/?x=1'],
    ['https://a.example/?to=me@b.example', 'https://a.example/?to=me@b.example'],
    ['https://a.example/?access_token=a&state=b', 'https://a.example/?access_token=••••&state=b'],
  ])('%s is masked as %s', async (url, masked) => {
    const { requests } = maskRecording({ ...(await recorded(() => 1)), requests: [request({ url })] });
    expect(requests![0]!.url).toBe(masked);
  });
});

describe('masking', () => {
  it('marks a value of the run as lost, with the rest of its text', async () => {
    const { payload: given, lost } = maskRecording(await recorded(() => 1, { url: '/?password=x&a=1', password: 'x' }));
    expect(given).toEqual({
      url: { $: 'lost', value: 'masked', text: '/?password=••••&a=1' },
      password: { $: 'lost', value: 'masked' },
    });
    expect(lost).toBe(2);
  });

  it('keeps what can’t be a secret', async () => {
    const given = { password: null, cookie: '', authorization: false, passwordLength: 3, tokens: 4, state: 'b' };
    expect(maskRecording(await recorded(() => 1, given)).payload).toEqual(given);
  });

  it('keeps values that the pipeline puts in when it runs', async () => {
    const settings = { headers: { Authorization: 'Bearer {{login.value}}' }, body: 'password={{word}}' };
    const { recording } = await record([{ functionPackage: 'step', settings }], { step: () => 1 });
    expect(maskRecording(recording).pipeline).toEqual([{ functionPackage: 'step', settings }]);
  });

  it.each(['{{hunter', 'Bearer {{hunter', '{{login.user}}:hunter', '{{login.user}} {hunter}}', '{{hunter}'])(
    'masks %s, which has more than expressions',
    async (Authorization) => {
      const settings = {
        headers: { Authorization },
        text: Authorization.includes('}}') ? '' : `password=${Authorization}`,
      };
      const { recording } = await record([{ functionPackage: 'step', settings }], { step: () => 1 });
      expect(textOf(recording)).not.toContain('hunter');
    },
  );

  it('keeps conditions, unless they have a known secret', async () => {
    const condition = "user.password == 'abcdef'";
    const steps: Pipeline = [{ type: 'if', conditions: [{ condition, functions: [] }] }];
    const { recording } = await record(steps, {}, { payload: { user: {} } });
    expect(maskRecording(recording).pipeline).toEqual(steps);
    expect(writeRecording(maskRecording(recording, ['abcdef']))).not.toContain('abcdef');
  });

  it('changes nothing in any recording without secrets', async () => {
    await fc.assert(
      fc.asyncProperty(pipeline, payload, async (steps, given) => {
        const { recording } = await record(steps, functions, { payload: given });
        expect(maskRecording(recording, ['no such secret'])).toEqual(recording);
      }),
      { numRuns: 100 },
    );
  });

  it('changes nothing when it’s done again', async () => {
    const given = { password: 'x', a: `https://u:p@a.example/?auth_token=1&${TOKEN}`, b: { cookie: ['c'] } };
    const once = maskRecording(await recorded((context) => (context.c = 'Bearer 12345678'), given), [TOKEN]);
    expect(maskRecording(once, [TOKEN])).toEqual(once);
  });

  it('passes every text to what knows secrets', async () => {
    const { recording } = await record(
      [{ functionPackage: 'step', settings: { a: 'text-1' } }],
      { step: (_, context) => ((context['text-2'] = { 'text-3': 'text-4' }), 'text-5') },
      { payload: { a: ['text-6'] } },
    );
    recording.console = [line('text-7')];
    recording.requests = [request({ url: 'text-8', headers: [['text-9', 'text-10']], body: { text: 'text-11' } })];
    const text = writeRecording(maskRecordingWith(recording, (given) => given.replaceAll(/text-\d+/g, '•')));
    expect(text).not.toContain('text-');
  });
});

describe('a replay of a masked recording', () => {
  const branch = (condition: string): Pipeline => [
    { functionPackage: 'step' },
    { type: 'if', conditions: [{ condition, functions: [{ functionPackage: 'step' }] }] },
  ];
  const replayed = async (condition: string, given: Record<string, unknown>, secrets: string[] = []) => {
    const { recording } = await record(branch(condition), { step: () => 1 }, { payload: given });
    return replay(maskRecording(recording, secrets));
  };

  it('is unknown where a condition reads a masked value', async () => {
    expect(await replayed("password == 'x'", { password: 'x' })).toMatchObject({
      state: 'unknown',
      path: '/1',
      cause: { reason: 'masked' },
    });
  });

  it('is unknown where a condition compares two masked values', async () => {
    expect(await replayed('a.password == b.password', { a: { password: 'x' }, b: { password: 'y' } })).toMatchObject({
      state: 'unknown',
      cause: { reason: 'masked' },
    });
  });

  it('is unknown if a condition itself was masked', async () => {
    expect(await replayed("a == 'secret1'", { a: 1 }, ['secret1'])).toMatchObject({
      state: 'unknown',
      cause: { reason: 'masked' },
    });
  });

  it('isn’t affected by masked values that no condition reads', async () => {
    expect(await replayed('a == 1', { a: 1, password: 'x' })).toMatchObject({ state: 'completed' });
  });

  it('isn’t affected by masked settings', async () => {
    const settings = { headers: { Authorization: 'x' }, url: 'https://u:p@a.example/' };
    const { recording } = await record([{ functionPackage: 'step', settings }], { step: () => 1 });
    expect(await replay(maskRecording(recording))).toMatchObject({ state: 'completed', result: 1 });
  });

  it('fits after changes inside of a masked value', async () => {
    const { recording } = await record([{ functionPackage: 'one' }, { functionPackage: 'two' }], {
      one: (_, context) => void (context.login = { cookie: { a: 1 } }),
      two: (_, context) => void ((context.login as { cookie: { a: number } }).cookie.a = 2),
    });
    expect(await replay(maskRecording(recording))).toMatchObject({ state: 'completed' });
  });

  it('ends as recorded if the error’s message was masked', async () => {
    const { recording } = await record([{ functionPackage: 'step' }], {
      step: () => {
        throw new Error('Wrong password: hunter2');
      },
    });
    expect(await replay(maskRecording(recording))).toMatchObject({ state: 'failed' });
  });
});
