/** Makes every change that the worker can make, through a proxy that ends the connection after the platform acted. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import type { Platform } from '../../lib/local-platform/index.ts';
import type { Action, App, Result } from '../../lib/platform-api/index.ts';
import type { PublishRecord } from '../../lib/extension/messaging/model/publishing.ts';
import type { FaultyPlatform } from './servers/faulty-platform.ts';
import { ask } from './ask.ts';

const APP = 101;

/** Sends a message to the worker from one of the extension’s pages. */
export type SendFrom = <T>(page: 'panel' | 'popup', name: string, takes?: object) => Promise<Result<T>>;

export interface EveryChange {
  platform: Platform;
  faulty: FaultyPlatform;
  send: SendFrom;
}

/** How often the platform got a change, and the outcome that the worker reported. */
export interface Cut {
  change: string;
  received: number;
  outcome: string;
}

/**
 * Makes each change once. The connection of its first copy ends after the platform acted, and before the first byte of
 * the response. Further copies get a response.
 */
export async function cutEveryChange(bed: EveryChange, round: number): Promise<Cut[]> {
  const { platform, send } = bed;
  const environmentId = await environmentOf(send);
  const ofApp = { environmentId, appId: APP };
  const name = `cut-${round}`;
  const functions = [{ functionPackage: 'com.platform.function.return-string', settings: { message: 'done' } }];
  const cuts: Cut[] = [];
  let nth = round;
  const change = async (name: string, path: string, takes: object): Promise<void> => {
    cuts.push(await cut(bed, nth++, name, path, () => send('panel', name, { ...ofApp, ...takes })));
  };

  // A connection that is reused: without one, no browser repeats a request.
  await send('panel', 'apps.list', { environmentId });
  await change('actions.create', '/actions', { action: { name, functions, environment: 'server' } });
  const { actions } = await ask<{ actions: Action[] }>(platform, `/v1/apps/${APP}/actions`);
  const actionId = actions.find((action) => action.name === name)!.id;
  await change('actions.update', `/actions/${actionId}`, { actionId, change: { active: true } });
  await change('actions.restore', '/restore', { actionId, revision: 1 });
  await change('actions.publish', `/actions/${actionId}/publish`, { actionId, publish: true });
  await change('actions.run', `/actions/${actionId}/run`, { actionId, payload: {} });
  await change('actions.runWithResult', `/actions/${actionId}/run-with-result`, { actionId, payload: {} });
  await change('logs.create', '/logs', { log: { type: 'cut', data: { round } } });
  await change('actions.remove', `/actions/${actionId}`, { actionId });
  const { now } = await ask<{ now: string }>(platform, '/v1/clock');
  const to = new Date(Date.parse(now) + 1000).toISOString();
  cuts.push(await cut(bed, nth++, 'clock.move', '/clock', () => send('panel', 'clock.move', { environmentId, to })));
  cuts.push(await cut(bed, nth++, 'publish.start', '/publish', () => publish(bed, environmentId, round)));
  return cuts;
}

async function publish(
  { platform, send }: EveryChange,
  environmentId: string,
  round: number,
): Promise<Result<unknown>> {
  const { apps } = await ask<{ apps: App[] }>(platform, '/v1/apps');
  const { version, updatedAt } = apps.find(({ id }) => id === APP)!;
  const id = crypto.randomUUID();
  const started = await send('popup', 'publish.start', {
    environmentId,
    id,
    appId: APP,
    appName: 'Field Service',
    release: { type: 'silent', changelog: `Cut ${round}` },
    expected: { version, updatedAt },
  });
  if (!started.ok) return started;
  const { outcome } = await waitFor('the outcome', async () => {
    const records = await send<PublishRecord[]>('popup', 'publish.list');
    return records.ok ? records.value.find((record) => record.id === id && record.outcome) : undefined;
  });
  await send('popup', 'publish.seen', { ids: [id] });
  await send('popup', 'publish.discard', { id });
  return outcome?.state === 'published' ? { ok: true, value: outcome } : { ok: false, error: outcome!.error };
}

async function cut(
  { faulty }: EveryChange,
  nth: number,
  change: string,
  path: string,
  make: () => Promise<Result<unknown>>,
): Promise<Cut> {
  let isCut = false;
  const isIt = (request: { method: string; path: string }): boolean =>
    request.method !== 'GET' && request.path.split('?')[0]!.endsWith(path);
  const before = faulty.requests.filter(isIt).length;
  faulty.fault = nth % 2 === 0 ? 'reset-after' : 'cut-after';
  // Firefox also repeats requests whose connection is older than 950 ms.
  faulty.gate = (moment) => (moment === 'processed' && isCut && nth % 5 === 0 ? pause(1_100) : undefined);
  faulty.only = (request) => {
    if (isCut || !isIt(request)) return false;
    return (isCut = true);
  };
  const result = await make();
  faulty.gate = () => {};
  return {
    change,
    received: faulty.requests.filter(isIt).length - before,
    outcome: result.ok ? 'done' : result.error.code,
  };
}

/** What every change must come to: the platform got it once, and its outcome is reported as unknown. */
export function expectUnknownOnce(cuts: readonly Cut[]): void {
  expect(cuts).toEqual(cuts.map(({ change }) => ({ change, received: 1, outcome: 'OUTCOME_UNKNOWN' })));
}

async function environmentOf(send: SendFrom): Promise<string> {
  const environments = await send<{ id: string }[]>('panel', 'environments.list');
  if (!environments.ok) throw new Error(environments.error.message);
  return environments.value[0]!.id;
}
