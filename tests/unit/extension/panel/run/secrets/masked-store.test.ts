/** Tests that nothing that the panel stores or exports of a run has a secret. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type Recording,
  RECORDING_FORMAT,
  RECORDING_VERSION,
} from '../../../../../../lib/debugging/recording/format.ts';
import { maskRecording } from '../../../../../../lib/debugging/recording/mask.ts';
import { createRunStore } from '../../../../../../lib/extension/panel/run/history/run-database.ts';
import { RunMask } from '../../../../../../lib/extension/panel/run/secrets/run-mask.ts';
import { KnownSecrets } from '../../../../../../lib/shared/secrets/known-secrets.ts';
import { fakeSend } from '../../../../../support/fake-send.ts';
import { observedRuntime } from '../../../inspector/support/page.ts';
import { openPanel } from '../../shell/open-panel.ts';

afterEach(() => void vi.restoreAllMocks());

/** The environment’s token, and what only its name gives away. */
const TOKEN = 'tok.7f3a9c2e1b+50';
const PLANTED = 'planted-2f';

/** A run that has secrets in its settings, its context, a URL, a header, console lines, and its result. */
const LEAKING = observedRuntime
  .replace(
    "{ functionPackage: 'set' }",
    `{ functionPackage: 'set', settings: { headers: { authorization: '${PLANTED}' }, note: 'as ${TOKEN}' } }`,
  )
  .replace(
    'context.list = [1];',
    `context.list = [1];
    context.login = { password: '${PLANTED}', url: 'https://me:${PLANTED}@a.example/?x=' + encodeURIComponent('${TOKEN}') };
    context['by-${TOKEN}'] = { 'Set-Cookie': ['${PLANTED}'] };
    console.log('The token is ${TOKEN}', { access_token: '${PLANTED}' }, 'Basic ' + btoa('me:${TOKEN}'));
    fetch('/?refresh_token=${PLANTED}', { headers: { Cookie: '${PLANTED}', 'x-note': '${TOKEN}' } }).catch(() => {});`,
  )
  .replace(
    'context.sum += context.currentItem;',
    `context.sum += context.currentItem; context.login.cookie = '${PLANTED}';`,
  )
  .replace('return context.sum', `return { sum: context.sum, client_secret: '${PLANTED}', token: '${TOKEN}' }`);

const worker = (tokens: readonly string[]) => ({
  'secrets.mask': ({ texts }: { texts: string[] }) => {
    const known = new KnownSecrets(tokens);
    const masked = texts.map((text, index) => [index, known.mask(text)] as const);
    return { ok: true, value: { masked: masked.filter(([index, text]) => text !== texts[index]) } };
  },
});
const LOCKED = { 'secrets.mask': { ok: false, error: { code: 'VAULT_LOCKED', message: 'Locked.' } } };

/** Everything that is stored of a run that has leaked its secrets, and its exports, as text. */
async function stored(respond: NonNullable<Parameters<typeof openPanel>[1]>['respond']) {
  const { panel, finished, name, files } = await openPanel(LEAKING, { respond });
  panel.payloads.setText(JSON.stringify({ auth_token: PLANTED, note: `as ${TOKEN}`, basic: btoa(`a:${TOKEN}`) }));
  await panel.run();
  await finished('completed');
  const run = panel.runs.shown.value!;
  await panel.exportRuns();
  await panel.recordings.export(run);
  const store = createRunStore(undefined, name);
  const { id } = run.record;
  const recording = (await store.recording(id))!;
  const all = JSON.stringify([await store.list(), await store.events(id), files]) + recording;
  return { all, run, recording: JSON.parse(recording) as Recording };
}

describe('what the panel stores and exports of a run', () => {
  it('has neither a credential nor a token', async () => {
    const { all, run, recording } = await stored(worker([TOKEN]));
    // The run itself had them.
    expect(JSON.stringify([...run.trace.steps.values()])).toContain(PLANTED);
    expect(recording.steps.length).toBeGreaterThan(2);
    expect(recording.console).toHaveLength(2);
    for (const secret of [PLANTED, TOKEN, encodeURIComponent(TOKEN), btoa(`me:${TOKEN}`), btoa(`a:${TOKEN}`)])
      expect(all).not.toContain(secret);
    expect(recording.payload).toEqual({
      auth_token: { $: 'lost', value: 'masked' },
      note: { $: 'lost', value: 'masked', text: 'as ••••' },
      basic: { $: 'lost', value: 'masked', text: '••••' },
    });
  });

  it('has nothing that looks like a token while the worker’s tokens are locked', async () => {
    const long = 'b8f3d1c2a4e5960718293a4b';
    const { panel, finished, name } = await openPanel(observedRuntime, { respond: LOCKED });
    panel.payloads.setText(JSON.stringify({ password: PLANTED, note: `as ${long}`, [long]: 1 }));
    await panel.run();
    await finished('completed');
    const store = createRunStore(undefined, name);
    const { id } = panel.runs.shown.value!.record;
    const all = JSON.stringify([await store.list(), await store.events(id), await store.recording(id)]);
    expect(all).not.toContain(PLANTED);
    expect(all).not.toContain(long);
    expect(JSON.parse((await store.recording(id))!)).toMatchObject({ payload: { '••••1': 1 } });
  });
});

it('texts are masked whole if they are longer than a message, with a token where two pieces meet', async () => {
  const sizes: number[] = [];
  const respond = worker([TOKEN])['secrets.mask'];
  const mask = new RunMask(fakeSend((_, takes) => (sizes.push(JSON.stringify(takes).length), respond(takes))));
  for (const at of [0, 599_990, 1_200_000]) {
    const text = `${'a '.repeat(at / 2)}${TOKEN}${' b'.repeat(100_000)}`;
    expect(await mask.data([text, 'short text', 'c'.repeat(590_000)])).toEqual([
      expect.stringMatching(/^[^t]*••••[^t]*$/),
      'short text',
      'c'.repeat(590_000),
    ]);
  }
  expect(Math.max(...sizes)).toBeLessThan(700_000);
});

it('recordings of many steps are masked with pauses, and as if they were masked at once', async () => {
  let at = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (at += 20));
  const steps = Array.from({ length: 1_000 }, (_, index) => ({
    path: '/0',
    iteration: [index],
    kind: 'function' as const,
    state: 'completed' as const,
    at: index,
    milliseconds: 1,
    value: index % 100 === 0 ? { password: PLANTED, note: TOKEN } : 'a text without secrets',
  }));
  const recording: Recording = {
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    startedAt: '2026-01-01T00:00:00Z',
    milliseconds: 1,
    engine: 'ours',
    pipeline: [],
    payload: { note: TOKEN },
    steps,
    lost: 3,
    end: { state: 'completed', result: TOKEN },
    console: [{ at: 1, level: 'log', args: [TOKEN] }],
  };
  let isMasked = false;
  const mask = new RunMask(fakeSend((_, takes) => worker([TOKEN])['secrets.mask'](takes)));
  const masked = mask.recording(recording).finally(() => (isMasked = true));
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
  expect(isMasked).toBe(false);
  expect(await masked).toEqual(maskRecording(recording, [TOKEN]));
  expect((await masked).lost).toBe(3 + 2 + 2 * 10);
});
