/** Tests which token a tab’s request gets, and that a platform without one-time tokens is asked once. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OneTimeTokens } from '../../../../lib/extension/background/handlers/one-time-tokens.ts';
import type { BadPlatform } from '../../rest/bad-platform.ts';
import { json, startBadPlatform } from '../../rest/bad-platform.ts';

const PAGE = { appId: 1, path: '/v1/apps/1/preview' };
let platform: BadPlatform;
let stored: Record<string, unknown>;
beforeEach(async () => {
  platform = await startBadPlatform();
  stored = {};
});
afterEach(() => platform.close());

/** As a new worker: only what is stored is left. */
const worker = () =>
  new OneTimeTokens({
    get: () => Promise.resolve(structuredClone(stored)),
    set: (items) => Promise.resolve(void Object.assign(stored, items)),
  });
const issue = (baseUrl = platform.baseUrl, signal?: AbortSignal) =>
  worker().issue('here', { baseUrl, token: 'secret' }, PAGE, { signal });

it('is issued for each page', async () => {
  platform.respond((_request, response) => json(response, 201, { token: `once.${platform.requests.length}` }));
  expect([await issue(), await issue()]).toEqual(['once.1', 'once.2']);
});

it.each([404, 405, 501])(
  'isn’t requested again after %i, except after a test of the connection or at a new base URL',
  async (status) => {
    platform.respond((_request, response) => json(response, status, {}));
    expect([await issue(), await issue()]).toEqual([null, null]);
    expect(platform.requests).toHaveLength(1);
    await worker().forget('here');
    await issue();
    expect(platform.requests).toHaveLength(2);
    await issue(`${platform.baseUrl}/eu`);
    expect(platform.requests).toHaveLength(3);
  },
);

it('is requested again after a fault, which says nothing about the platform', async () => {
  platform.respond((_request, response) => json(response, 500, {}));
  expect(await issue()).toBeNull();
  platform.respond((_request, response) => json(response, 200, { apps: [] }));
  expect(await issue()).toBeNull();
  platform.respond((_request, response) => json(response, 201, { token: 'once.3' }));
  expect(await issue()).toBe('once.3');
});

it('is requested again after a 404 about the app, which has the platform’s error body', async () => {
  platform.respond((_request, response) => json(response, 404, { error: 'NOT_FOUND', message: 'No such app.' }));
  expect([await issue(), await issue()]).toEqual([null, null]);
  expect(platform.requests).toHaveLength(2);
});

it('isn’t replaced by anything when opening is canceled', async () => {
  await expect(issue(platform.baseUrl, AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
});
