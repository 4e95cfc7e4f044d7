/** Publishes in the popup while the worker is killed, and checks that nothing is sent twice. */
import { afterAll, beforeAll, expect } from 'vitest';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { type FaultyPlatform, startFaultyPlatform } from './servers/faulty-platform.ts';
import { type OutcomeState, PopupPage } from '../../lib/browser-driver/pages/popup-page.ts';
import { stopWorker } from '../../lib/browser-driver/worker.ts';
import { startTestBed, type TestBed } from './test-bed.ts';
import type { PublishRecord } from '../../lib/extension/messaging/model/publishing.ts';
import { ask } from './ask.ts';

const APP = 'Field Service';

/** When the worker is killed: right after the button, some milliseconds later, or at one of its requests. */
export const MOMENTS = [
  'at once',
  'before the app is read again',
  'before the platform receives the request',
  'after the platform has processed it',
  2,
  'after the app was read again',
  8,
  'when the platform receives the request',
  20,
  40,
] as const;
export type Moment = (typeof MOMENTS)[number];

let bed: TestBed;
let faulty: FaultyPlatform;
async function open(): Promise<void> {
  bed = await startTestBed({ ownPlatform: true, withoutDevTools: true });
  faulty = await startFaultyPlatform(bed.platform.baseUrl);
  await bed.enter({ name: 'Local', baseUrl: faulty.baseUrl });
}
async function close(): Promise<void> {
  await faulty?.close();
  await bed?.close();
}

const api = <T>(path: string): Promise<T> => ask<T>(bed.platform, `/v1${path}`);
const notes = (round: number): string => `Round ${round}.`;

/** Versions released with these notes, as the platform's own log has them. */
async function releases(round: number): Promise<number[]> {
  const { logs } = await api<{ logs: { data: { changelog: string; version: number } }[] }>(
    '/apps/101/logs?type=app.publish&limit=1000',
  );
  return logs.filter(({ data }) => data.changelog === notes(round)).map(({ data }) => data.version);
}

/** The outcome of a round after the popup has shown it, or “not begun” when the kill closed the popup before it sent anything. */
async function outcomeOf(popup: PopupPage, round: number): Promise<OutcomeState | 'not begun' | (string & {}) | null> {
  const all = await popup.page.evaluate(async () => {
    const { runtime } = (
      globalThis as unknown as {
        chrome: { runtime: { sendMessage(message: unknown): Promise<{ value: PublishRecord[] }> } };
      }
    ).chrome;
    return (await runtime.sendMessage({ to: 'background', name: 'publish.list' })).value;
  });
  const record = all.find(({ release }) => release.changelog === notes(round));
  const shown = await popup.state();
  if (!record) return (await popup.alert()) ?? (shown === null && (await isIdle(popup)) ? 'not begun' : null);
  // The popup may have shown the outcome just before it closed.
  return record.outcome && record.seen && (shown === record.outcome.state || shown === null)
    ? record.outcome.state
    : null;
}

/** Whether the popup has loaded everything and shows no publish. */
async function isIdle(popup: PopupPage): Promise<boolean> {
  return popup.page.evaluate(
    () =>
      document.querySelector('form [data-summary=ready]') !== null &&
      document.querySelector('button[type=submit]')?.textContent !== 'Publishing…',
  );
}

/** Goes from the popup’s first view to its form. A message from a closed popup may have arrived after all. */
async function toForm(popup: PopupPage): Promise<void> {
  const leave: Partial<Record<OutcomeState, string>> = {
    published: 'Publish another update',
    failed: 'Back to release',
    unknown: 'Dismiss',
  };
  await waitFor('the form', async () => {
    const state = await popup.state();
    const button = state && leave[state];
    if (button) await popup.press(button);
    return isIdle(popup);
  });
}

/** Kills the worker at this moment of what `press` starts, and resolves when both are done. */
async function killAt(moment: Moment, press: () => Promise<void>): Promise<void> {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: killed, resolve: letGo } = Promise.withResolvers<void>();
  // A request that is running when the worker dies continues, as on a real platform.
  const hold = (): Promise<void> => {
    reach();
    return killed;
  };
  faulty.gate = (when, { method, path }) => {
    const reads = method === 'GET' && path === '/v1/apps';
    const sends = method === 'POST' && path.endsWith('/publish');
    if (moment === 'before the app is read again' && reads && when === 'received') return hold();
    if (moment === 'after the app was read again' && reads && when === 'processed') return hold();
    if (moment === 'before the platform receives the request' && sends && when === 'received') return hold();
    if (moment === 'when the platform receives the request' && sends && when === 'received') return void reach();
    if (moment === 'after the platform has processed it' && sends && when === 'processed') return hold();
    return undefined;
  };
  await press();
  if (typeof moment === 'number') setTimeout(reach, moment);
  else if (moment === 'at once') reach();
  await reached;
  await stopWorker(bed.extension);
  faulty.gate = () => {};
  letGo();
}

/** For the rounds of a test file: starts and closes what they work with. */
export function setUpKills(): void {
  beforeAll(open);
  afterAll(close);
}

/** One round per moment: each leaves one release per intent or an unknown outcome, never two releases. */
export async function killEach(moments: readonly Moment[]): Promise<void> {
  const first = await PopupPage.open(bed.extension);
  await first.chooseApp(APP);
  await first.close();
  const counts: Record<string, number> = {};
  for (const [round, moment] of moments.entries()) {
    // In half of the rounds, and of the rounds at one moment.
    const staysOpen = (round + Math.floor(round / MOMENTS.length)) % 2 === 0;
    const state = await killOnce(round, moment, staysOpen);
    counts[state] = (counts[state] ?? 0) + 1;
  }
  for (const round of moments.keys())
    expect((await releases(round)).length, `round ${round}, at the end`).toBeLessThanOrEqual(1);
  expect(Object.keys(counts).length, JSON.stringify(counts)).toBeGreaterThanOrEqual(2);
  console.log(`Outcomes: ${JSON.stringify(counts)}`);
}

async function killOnce(round: number, moment: Moment, staysOpen: boolean): Promise<string> {
  const popup = await PopupPage.open(bed.extension);
  await toForm(popup);
  await popup.write({ type: 'silent', changelog: notes(round) });
  await waitFor('the button', async () =>
    popup.page.$eval('button[type=submit]', (button) => button.getAttribute('aria-disabled') !== 'true'),
  );
  await killAt(moment, () => popup.press('Publish'));
  const looks = staysOpen ? popup : await popup.close().then(() => PopupPage.open(bed.extension));
  const where = `round ${round}, killed ${moment}`;
  const state = await waitFor(`what became of ${where}`, () => outcomeOf(looks, round));
  const made = await releases(round);
  expect(made.length, where).toBeLessThanOrEqual(1);
  if (state === 'published') expect(made, where).toHaveLength(1);
  else if (state !== 'unknown') expect(made, `${where}, shown as ${state}`).toEqual([]);
  if (state === 'unknown') {
    await looks.press('Check again');
    await waitFor('what the app says', async () =>
      (await looks.state()) === 'published' ? 'published' : (await looks.text()).includes('no change of the app since'),
    );
    const settled = await looks.state();
    if (settled === 'published') expect(await releases(round), where).toHaveLength(1);
    else await looks.press('Dismiss');
  }
  await looks.close();
  return state;
}
