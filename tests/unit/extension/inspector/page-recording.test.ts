/** Tests recordings of runs in the page: whole values, replayed outside of the page. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { replay } from '../../../../lib/debugging/replay/replay.ts';
import { isExhaustive } from '../../../support/exhaustive.ts';
import { agentSource, bareRuntime, observedRuntime, openPage, type Page } from './support/page.ts';

let page: Page;
afterEach(() => page.close());

const PIPELINE = [
  { functionPackage: 'read' },
  {
    type: 'loop',
    items: 'records',
    functions: [
      {
        type: 'if',
        conditions: [{ condition: 'Math.random() < currentItem.share', functions: [{ functionPackage: 'send' }] }],
      },
    ],
  },
];
const RUNTIME = `
  ENV = { appId: 1, taskPipeline: ${JSON.stringify(PIPELINE)} };
  Platform = { Functions: { register() {} }, App: { Actions: { Pipeline: { run: async () => 0 } } } };
  Platform.Functions.register('read', (settings, context) => {
    context.records = [{ share: 0.5, text: 'x'.repeat(20000) }, { share: 0.5 }, { share: 0.5 }];
  });
  Platform.Functions.register('send', (settings, context) => { context.sent = (context.sent ?? 0) + 1; return context.sent; });`;

async function watched(script = RUNTIME): Promise<void> {
  page = await openPage({ agent: false });
  page.run(await agentSource());
  page.port().watch('run', 'Platform');
  page.run(script);
}

function recordingOf(runId: string): Recording | null {
  const found = page.agent('recording', runId);
  return found && (JSON.parse(page.agent('text', found.handle, 0, 1_000_000)!) as Recording);
}

describe('the recording of a run in the page', () => {
  it('has whole values and the random numbers of conditions, so that its replay is the same run', async () => {
    await watched();
    const events = await page.finish('{"since":"2026"}', 'ours');
    const recording = recordingOf('run-1')!;
    expect(recording).toMatchObject({
      engine: 'ours',
      payload: { since: '2026' },
      pipeline: PIPELINE,
      end: { state: 'completed' },
      lost: 0,
    });
    expect(JSON.stringify(recording)).toContain('x'.repeat(20_000));
    expect(recording.steps).toHaveLength(events.filter(({ kind }) => kind === 'step-started').length);
    expect(await replay(recording)).toMatchObject({ state: 'completed' });
  });

  it('is made with the platform’s runtime, too, if it reports steps', async () => {
    page = await openPage({ before: observedRuntime });
    await page.finish('{}');
    expect(recordingOf('run-1')).toMatchObject({ engine: 'platform', end: { state: 'completed', result: 6 } });
  });

  const count = isExhaustive() ? 50_000 : 10_000;

  it(`has every one of ${2 * count} steps, each with its value and changes`, async () => {
    await watched(RUNTIME);
    page.run(`ENV.taskPipeline = [{ type: 'loop', range: { from: 1, to: ${count} }, functions: [{ functionPackage: 'send' }, { functionPackage: 'last' }] }];
      Platform.Functions.register('last', (settings, context) => context.currentItem);`);
    page.agent('start', 'run-1', '{}', 'Platform', { engine: 'ours' });
    await page.until(() => page.state().run === null);
    const found = page.agent('recording', 'run-1')!;
    let text = '';
    while (text.length < found.length) text += page.agent('text', found.handle, text.length, 500_000)!;
    const { steps, lost, end } = JSON.parse(text) as Recording;
    expect({ steps: steps.length, lost, end }).toEqual({
      steps: 2 * count + 1,
      lost: 0,
      end: { state: 'completed', result: count },
    });
    const isWhole = ({ value, changes, iteration }: Recording['steps'][number], index: number): boolean =>
      index % 2 === 0
        ? value === index / 2 + 1 && String(changes) === `/sent,${index / 2 + 1}` && iteration![0] === index / 2
        : value === (index + 1) / 2 && changes === undefined;
    expect(steps.slice(1).findIndex((step, index) => !isWhole(step, index))).toBe(-1);
  }, 30_000);

  it('marks and counts what is beyond 32 MB, and the run and its steps stay whole', async () => {
    await watched(RUNTIME);
    page.run(`ENV.taskPipeline = [{ type: 'loop', range: { from: 1, to: 20 }, functions: [{ functionPackage: 'large' }] }];
      Platform.Functions.register('large', (settings, context) => ({ item: context.currentItem, text: 'x'.repeat(3_000_000) }));`);
    page.agent('start', 'run-1', '{}', 'Platform', { engine: 'ours' });
    await page.until(() => page.state().run === null);
    const found = page.agent('recording', 'run-1')!;
    expect(found.length).toBeLessThan(33 * 1024 * 1024);
    let text = '';
    while (text.length < found.length) text += page.agent('text', found.handle, text.length, 1_000_000)!;
    const { steps, lost } = JSON.parse(text) as Recording;
    expect(steps.map(({ state }) => state)).toEqual(Array.from({ length: 21 }, () => 'completed'));
    const texts = steps.slice(1).map(({ value }) => (value as { text?: unknown } | undefined)?.text);
    expect(texts.slice(0, 11).every((each) => typeof each === 'string')).toBe(true);
    expect(texts.slice(11).some((each) => typeof each === 'string')).toBe(false);
    expect(lost).toBeGreaterThanOrEqual(9);
  }, 30_000);

  it('doesn’t exist for a runtime that reports no steps', async () => {
    page = await openPage({ before: bareRuntime('return 1') });
    await page.finish('{}');
    expect(recordingOf('run-1')).toBeNull();
  });

  it('ends with the error of a failed run', async () => {
    await watched(`${RUNTIME} Platform.Functions.register('read', () => { throw new RangeError('too much') });`);
    await page.finish('{}', 'ours');
    expect(recordingOf('run-1')).toMatchObject({
      end: { state: 'failed', error: { code: 'STEP_FAILED', path: '/0' } },
      steps: [{ state: 'failed', error: { name: 'RangeError', message: 'too much' } }],
    });
  });

  it('ends where the run was stopped', async () => {
    await watched(`${RUNTIME} Platform.Functions.register('read', () => new Promise(() => {}));`);
    page.agent('start', 'r', '{}', 'Platform', { engine: 'ours' });
    await page.until(() => page.events().some(({ kind }) => kind === 'step-started'));
    page.agent('stop', 'r');
    expect(recordingOf('r')).toMatchObject({ end: { state: 'stopped' }, steps: [{ path: '/0' }] });
  });

  it('has the console lines and requests of the run, each with the step that made it', async () => {
    await watched(`${RUNTIME}
      globalThis.fetch = async () => ({});
      Platform.Functions.register('read', async (settings, context) => {
        context.records = [];
        console.warn('sending', { to: 'me' }, new TypeError('odd'));
        await fetch('https://mail.example/send?id=1', { method: 'POST', headers: { accept: 'text/plain' } });
      });`);
    await page.finish('{}', 'ours');
    const { console: lines, requests } = recordingOf('run-1')!;
    expect(lines).toMatchObject([
      { step: 0, level: 'warn', args: ['sending', { to: 'me' }, { text: 'TypeError: odd' }] },
    ]);
    expect(requests).toHaveLength(1);
    expect(requests![0]).toMatchObject({
      step: 0,
      method: 'POST',
      url: 'https://mail.example/send?id=1',
      headers: [['accept', 'text/plain']],
      milliseconds: expect.any(Number),
    });
  });

  it('isn’t affected by a console line that can’t be recorded, and neither is the run', async () => {
    await watched(`${RUNTIME}
      Platform.Functions.register('read', (settings, context) => {
        context.records = [];
        console.log(new Proxy({}, { getPrototypeOf() { throw new Error('mine'); } }), 'after');
        console.log('next');
      });`);
    const events = await page.finish('{}', 'ours');
    expect(events.at(-1)).toMatchObject({ kind: 'run-ended', state: 'completed' });
    expect(recordingOf('run-1')!.console).toMatchObject([{ args: ['next'] }]);
  });

  it('is that of the last run only', async () => {
    await watched();
    await page.finish('{}', 'ours');
    await page.finish('{}', 'ours');
    expect(recordingOf('run-1')).toBeNull();
    expect(recordingOf('run-2')).toMatchObject({ end: { state: 'completed' } });
  });

  it('is written without the page’s toJSON', async () => {
    await watched(`${RUNTIME} Object.prototype.toJSON = () => 'the page’s';`);
    await page.finish('{"a \\"b\\"":1}', 'ours');
    expect(recordingOf('run-1')).toMatchObject({ payload: { 'a "b"': 1 }, end: { state: 'completed' } });
  });

  it.each([
    ['a method', 'Map.prototype.get = () => { throw new Error("mine") }'],
    ['how lists are iterated', 'Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true })'],
  ])('isn’t made on a page that has replaced %s, and the run isn’t affected', async (_what, script) => {
    page = await openPage({ before: observedRuntime });
    page.run(script);
    page.agent('start', 'r', '{}', 'Platform');
    await page.until(() => JSON.stringify(page.agent('read', 0, 1e6, 'Platform')).includes('run-ended'));
    expect(page.agent('recording', 'r')).toBeNull();
  });
});
