/** The agent on the platform’s own debug pages: steps, contexts, failures, and stops. */
import type { Browser } from 'puppeteer-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../lib/extension/inspector/contract.ts';
import { compileUrl } from '../../../../lib/platform-api/index.ts';
import type { Platform } from '../../../../lib/local-platform/index.ts';
import { findAction } from '../../../support/test-bed.ts';
import { contextAtEnd } from '../../../unit/extension/inspector/support/rebuild.ts';
import { type Inspected, inspectPage } from '../../../support/agent-page.ts';
import { sharedChromium } from '../../../support/shared-chromium.ts';
import { sharedPlatform } from '../../../support/shared-platform.ts';
import { openWithToken } from '../../../support/network.ts';

let platform: Platform;
let browser: Browser;
beforeAll(async () => {
  platform = await sharedPlatform();
  ({ browser } = await sharedChromium());
});

const open: Inspected[] = [];
afterEach(async () => {
  for (const { inspector, page } of open.splice(0)) {
    inspector.dispose();
    await page.close();
  }
});

async function opened(action: string): Promise<Inspected> {
  const inspected = await inspectPage(await browser.newPage());
  open.push(inspected);
  const { appId, taskId } = findAction(platform, action);
  await openWithToken(inspected.page, compileUrl(platform.baseUrl, appId, taskId), platform.authToken);
  return inspected;
}
const ofKind = <K extends AgentEvent['kind']>(events: AgentEvent[], kind: K) =>
  events.filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind);

it('the inspector describes a debug page with every function and its script', async () => {
  const { inspector } = await opened('one-of-each-step');
  const state = await inspector.attach();
  if (!state.ok) throw new Error(state.error.message);
  expect(state.value).toMatchObject({
    platform: 'ready',
    tracing: 'observed',
    ready: true,
    env: { appId: 101, taskId: 1008, mode: 'preview' },
    pipeline: { ok: true },
  });
  expect(state.value.functions.length).toBeGreaterThan(0);
  for (const { name, url } of state.value.functions)
    expect(url).toMatch(new RegExp(`^${platform.baseUrl}/.*${name.replaceAll('..', '\\.')}\\.js`));
  const pipeline = await inspector.pipeline();
  expect(pipeline.ok && pipeline.value.length).toBeGreaterThan(3);
});

it('the inspector reports every step of every kind once, inside its parent, with a context that can be rebuilt', async () => {
  const { finish, page } = await opened('one-of-each-step');
  await page.evaluate(
    `for (const { name } of Platform.Functions.list()) { const fn = Platform.Functions.get(name); Platform.Functions.register(name, (settings, context) => { seen = context; return fn(settings, context) }) }`,
  );
  const events = await finish('{"customer":"Ann"}');
  const started = ofKind(events, 'step-started');
  expect(new Set(started.map((event) => event.stepKind))).toEqual(new Set(['function', 'loop', 'if']));
  expect(
    ofKind(events, 'step-ended')
      .map((event) => event.step)
      .sort((a, b) => a - b),
  ).toEqual(started.map((event) => event.step));
  for (const step of started) {
    const parent = started.find((other) => other.step === step.parent);
    expect(step.path!.startsWith(`${parent?.path ?? ''}/`)).toBe(true);
  }
  const truth = JSON.parse((await page.evaluate('JSON.stringify(seen)')) as string) as Record<string, unknown>;
  expect(contextAtEnd(events)).toEqual(truth);
  expect(events.at(-1)).toMatchObject({ kind: 'run-ended', state: 'completed' });
});

it('the inspector assigns requests and console lines to their step', async () => {
  const { finish, page } = await opened('is-email-registered');
  await page.evaluate(
    `{ const read = Platform.Functions.get('com.platform.function.read-datasource'); Platform.Functions.register('com.platform.function.read-datasource', async (s, c) => { console.log('reading'); return read(s, c) }) }`,
  );
  const events = await finish('{"email":"user@example.com"}');
  const [first] = ofKind(events, 'step-started');
  expect(first).toMatchObject({ path: '/0', name: 'com.platform.function.read-datasource' });
  expect(ofKind(events, 'console')).toMatchObject([{ step: first!.step, args: [{ v: 'reading' }] }]);
  const requests = ofKind(events, 'request-started');
  for (const { step, url } of requests) {
    expect(step).toBe(first!.step);
    expect(url).toMatch(new RegExp(`^${platform.baseUrl}/v1/.*data-sources`));
  }
  expect(requests).toHaveLength(2);
  const ended = ofKind(events, 'request-ended');
  expect(ended.map((event) => [event.request, event.status])).toEqual(requests.map((event) => [event.request, 200]));
  for (const { bytes } of ended) expect(bytes).toBeGreaterThan(0);
});

it('the inspector reports a failure with path, cause, and trace, the failed step and its script first', async () => {
  const { finish } = await opened('throws-on-bad-address');
  const end = (await finish()).at(-1);
  if (end?.kind !== 'run-ended') throw new Error('no end');
  expect(end).toMatchObject({ state: 'failed', error: { code: 'STEP_FAILED' } });
  expect(end.error!.path).toMatch(/^\/\d+\/.*functions\/\d+$/);
  expect(end.error!.trace[0]).toContain(`step ${end.error!.path} (com.`);
  expect(end.error!.trace[1]).toMatch(/\/com\.[\w.-]+\.js:\d+:\d+/);
});

it.each(['never-ends', 'never-settles'])('stopping the action %s leaves the page responsive', async (action) => {
  const { inspector, next, page } = await opened(action);
  await inspector.attach();
  await inspector.start('{}');
  await next((event) => event.kind === 'step-started');
  expect(await inspector.stop()).toEqual({ ok: true, value: true });
  expect(await next((event) => event.kind === 'run-ended')).toMatchObject({ state: 'stopped', goesOn: undefined });
  expect(await page.evaluate('1 + 1')).toBe(2);
  expect(await inspector.start('{}')).toMatchObject({ ok: true });
});

it('the inspector traces 10,000 iterations of two steps completely', async () => {
  const { finish, page, received } = await opened('number-range');
  await page.evaluate(`
    Platform.Functions.register('com.example.function.one', (settings, context) => { context.count = context.currentItem });
    Platform.Functions.register('com.example.function.two', async (settings, context) => { context.last = { id: context.count, text: 'record ' + context.count }; return context.count });
    ENV.taskPipeline = [{ type: 'loop', range: { from: 1, to: 10000 }, functions: [{ functionPackage: 'com.example.function.one', settings: { to: 'someone' } }, { functionPackage: 'com.example.function.two' }] }];`);
  const events = await finish();
  expect(ofKind(events, 'step-ended')).toHaveLength(20_001);
  expect(received.some((event) => event.kind === 'events-dropped')).toBe(false);
  expect(contextAtEnd(events)).toEqual({ count: 10_000, last: { id: 10_000, text: 'record 10000' } });
  expect(events.at(-1)).toMatchObject({ state: 'completed', result: { v: 10_000 } });
});
