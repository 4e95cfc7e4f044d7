/** Tests the worker while tokens are locked: it sends nothing, returns nothing, and loses nothing. */
import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { EndpointGates } from '../../../../lib/extension/background/handlers/endpoint-gates.ts';
import { fakeLocalArea } from '../../../support/fake-local-area.ts';
import { ProductionUnlocks } from '../../../../lib/extension/background/handlers/production-unlocks.ts';
import { createHandlers } from '../../../../lib/extension/background/handlers.ts';
import { createPublishStore } from '../../../../lib/extension/background/publish-store.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { createRefusals } from '../../../../lib/extension/messaging/refusals.ts';
import { Vault } from '../../../../lib/extension/vault/index.ts';
import { json } from '../../rest/bad-platform.ts';
import { type PublishWorld, eachPublishWorld, failure } from './publish-world.ts';

const PASSPHRASE = 'correct horse battery staple';
const TOKEN = 'secret-token-1234567890';
let world: PublishWorld;
eachPublishWorld((fresh) => (world = fresh));

async function startUnlocked() {
  const handlers = createHandlers({
    vault: new Vault({ iterations: 1000 }),
    permissions: { contains: () => Promise.resolve(true), remove: () => Promise.resolve(true) },
    unlocks: new ProductionUnlocks(fakeLocalArea()),
    gates: new EndpointGates(fakeLocalArea(), () => {}),
    pages: { open: () => Promise.resolve('there'), allowReload: () => Promise.resolve('there') },
    publishes: createPublishStore(),
    button: {
      setBadgeText: () => Promise.resolve(),
      setBadgeBackgroundColor: () => Promise.resolve(),
      setTitle: () => Promise.resolve(),
    },
    notifier: { update: () => Promise.resolve() },
    refusals: createRefusals(undefined),
    eraseRest: () => Promise.resolve(),
  });
  const { id: environmentId } = await handlers['environments.save']({
    name: 'Here',
    preset: 'local',
    baseUrl: world.http.baseUrl,
    namespace: 'Platform',
    production: false,
    token: TOKEN,
  });
  await handlers['vault.protect']({ passphrase: PASSPHRASE, idleMinutes: 15 });
  return { handlers, environmentId };
}

describe('while the tokens are locked', () => {
  it('no message sends a request to the platform', async () => {
    const { handlers, environmentId } = await startUnlocked();
    await handlers['vault.lock'](undefined);
    const page = { environmentId, tabId: 1, appId: 7 };
    const works = [
      handlers['apps.list']({ environmentId }),
      handlers['actions.list']({ environmentId, appId: 7 }),
      handlers['sessions.list']({ environmentId, appId: 7, limit: 5, offset: 0 }),
      handlers['functions.list']({ environmentId }),
      handlers['dataSources.list']({ environmentId, appId: 7 }),
      handlers['clock.get']({ environmentId }),
      handlers['environments.test']({ id: environmentId }),
      handlers['debugPage.open']({ ...page, taskId: 1 }),
      handlers['pages.open']({ ...page, page: 'preview' }),
      handlers['publish.preview']({ environmentId, appId: 7 }),
      handlers['publish.start'](world.order({ environmentId })),
      handlers['environments.export']({ passphrase: PASSPHRASE }),
      handlers['actions.run']({ environmentId, appId: 7, actionId: 5, payload: {} }),
      handlers['secrets.mask']({ texts: [TOKEN] }),
    ];
    expect(await Promise.all(works.map(failure))).toEqual(Array.from(works, () => 'VAULT_LOCKED'));
    expect(world.http.requests).toEqual([]);
    expect(await handlers['publish.list'](undefined)).toEqual([]);
  });

  it('no text is masked, and after unlocking, only those with a token', async () => {
    const { handlers } = await startUnlocked();
    await handlers['vault.lock'](undefined);
    expect(await failure(handlers['secrets.mask']({ texts: ['a', `as ${TOKEN}`] }))).toBe('VAULT_LOCKED');
    await handlers['vault.unlock']({ passphrase: PASSPHRASE });
    expect(await handlers['secrets.mask']({ texts: ['a', `as ${TOKEN}`, btoa(`b:${TOKEN}`)] })).toEqual({
      masked: [
        [1, 'as ••••'],
        [2, '••••'],
      ],
    });
  });

  it('an entered token can be tested, but not saved', async () => {
    const { handlers, environmentId } = await startUnlocked();
    await handlers['vault.lock'](undefined);
    const draft = {
      id: environmentId,
      name: 'Here',
      preset: 'local' as const,
      baseUrl: world.http.baseUrl,
      namespace: 'Platform',
      production: false,
    };
    expect(await handlers['environments.test']({ draft: { ...draft, token: TOKEN } })).toMatchObject({ apps: 1 });
    expect(await failure(handlers['environments.test']({ draft }))).toBe('VAULT_LOCKED');
    expect(await failure(handlers['environments.save']({ ...draft, token: TOKEN }))).toBe('VAULT_LOCKED');
  });

  it.each([
    [
      'by a person',
      (handlers: Awaited<ReturnType<typeof startUnlocked>>['handlers']) => handlers['vault.lock'](undefined),
    ],
    [
      'by the clock',
      () => {
        const late = Date.now() + 15 * 60_000;
        return Promise.resolve(void vi.spyOn(Date, 'now').mockReturnValue(late));
      },
    ],
  ])('a response that was requested before locking (%s) is returned only to its caller', async (_how, lock) => {
    const { handlers, environmentId } = await startUnlocked();
    const [request, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.http.respond((_request, response) => {
      request.resolve();
      void held.promise.then(() => json(response, 200, { apps: [world.app] }));
    });
    const before = handlers['apps.list']({ environmentId });
    await request.promise;
    await lock(handlers);
    const after = failure(handlers['apps.list']({ environmentId }));
    expect(await after).toBe('VAULT_LOCKED');
    held.resolve();
    expect(await before).toMatchObject([{ id: 7 }]);
    expect(world.http.requests).toHaveLength(1);
  });
});

describe('a publish that runs when the tokens are locked', () => {
  it('completes', async () => {
    const { handlers, environmentId } = await startUnlocked();
    const [request, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.fault = (response, publish) => {
      request.resolve();
      void held.promise.then(() => json(response, 201, publish()));
    };
    const { id } = await handlers['publish.start'](world.order({ environmentId }));
    await request.promise;
    await handlers['vault.lock'](undefined);
    held.resolve();
    const ended = await waitFor('an outcome', async () =>
      (await handlers['publish.list'](undefined)).find((one) => one.id === id && one.outcome !== null),
    );
    expect(ended.outcome?.state).toBe('published');
    expect(world.releases).toEqual([id]);
  });

  it('stays open when its response didn’t arrive, and is settled once they are unlocked', async () => {
    const { handlers, environmentId } = await startUnlocked();
    world.fault = (response, publish) => {
      publish();
      response.destroy();
    };
    const { id } = await handlers['publish.start'](world.order({ environmentId }));
    await waitFor('an outcome', async () =>
      (await handlers['publish.list'](undefined)).find((one) => one.outcome !== null),
    );
    await handlers['vault.lock'](undefined);
    const before = await handlers['publish.list'](undefined);
    expect(await failure(handlers['publish.settle']({ id }))).toBe('VAULT_LOCKED');
    expect(await handlers['publish.list'](undefined)).toEqual(before);
    expect(before).toMatchObject([{ id, outcome: { state: 'unknown' }, discarded: false }]);
    await handlers['vault.unlock']({ passphrase: PASSPHRASE });
    expect(await handlers['publish.settle']({ id })).toMatchObject({
      outcome: { state: 'published', settled: true, app: { version: 13 } },
    });
    expect(world.releases).toEqual([id]);
  });
});
