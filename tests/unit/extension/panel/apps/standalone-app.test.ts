/** Tests an app’s page in a separate browser tab. */
import { signal } from '@preact/signals';
import { beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../../../lib/platform-api/app.ts';
import type { AppLink } from '../../../../../lib/extension/messaging/model/app-link.ts';
import type { Environment } from '../../../../../lib/extension/messaging/model/environment.ts';
import type { MessageName, Send } from '../../../../../lib/extension/messaging/protocol.ts';
import { StandaloneApp } from '../../../../../lib/extension/panel/apps/standalone-app.ts';

const LINK: AppLink = { environmentId: 'a', appId: 7, version: 13 };
let responses: Partial<Record<MessageName, unknown>>;
let requested: string[];
let saysYes: boolean;

beforeEach(() => {
  responses = {
    'environments.list': [{ id: 'a', name: 'Local', baseUrl: 'http://127.0.0.1:1' }] as Environment[],
    'apps.list': [
      { id: 7, name: 'Field Service', version: 13 },
      { id: 8, name: 'Other' },
    ] as App[],
    'sessions.list': [],
    'clock.get': failure('NOT_FOUND'),
    'publish.list': [],
  };
  requested = [];
  saysYes = true;
});

const failure = (code: string) => new Error(code);
const send = ((name) => {
  const value = responses[name];
  return Promise.resolve(
    value instanceof Error ? { ok: false, error: { code: value.message, message: 'No.' } } : { ok: true, value },
  );
}) as Send;
const make = (link: Partial<AppLink> = {}) =>
  new StandaloneApp({
    send,
    link: { ...LINK, ...link },
    requestAccess: (baseUrl) => Promise.resolve(requested.push(baseUrl) > 0 && saysYes),
    saveFile: () => {},
    host: { now: () => 0, later: () => () => {}, isVisible: signal(true), isOnline: signal(true) },
  });
const read = async (link?: Partial<AppLink>) => {
  const standalone = make(link);
  await standalone.load();
  return standalone;
};

describe('the app of the link', () => {
  it('loads with its environment, and watches the version', async () => {
    const standalone = make();
    expect(standalone.state.value).toBe('loading');
    await standalone.load();
    expect(standalone.state.value).toBe('ready');
    expect(standalone.app.value?.name).toBe('Field Service');
    expect(standalone.environment.value?.name).toBe('Local');
    expect(standalone.page.adoption.version.value).toBe(13);
  });

  it('is watched once, however often it is loaded', async () => {
    const standalone = await read();
    standalone.page.adoption.watch(14);
    await standalone.load();
    expect(standalone.page.adoption.version.value).toBe(14);
  });

  it.each([[{ version: null }], [{ appId: 9 }], [{ environmentId: 'gone' }]])(
    'watches nothing with %j',
    async (link) => {
      expect((await read(link)).page.adoption.version.value).toBeNull();
    },
  );
});

describe('a page that can’t be shown', () => {
  it('reports a removed environment, or an unavailable app', async () => {
    expect((await read({ environmentId: 'gone' })).state.value).toBe('no-environment');
    expect((await read({ appId: 9 })).state.value).toBe('no-app');
    responses['apps.list'] = [];
    expect((await read()).state.value).toBe('no-app');
  });

  it.each(['environments.list', 'apps.list'] as const)(
    'reports that %s failed, and recovers with the next try',
    async (name) => {
      const { [name]: good } = responses;
      responses[name] = failure('PLATFORM_UNREACHABLE');
      const standalone = await read();
      expect(standalone.state.value).toBe('failed');
      expect(standalone.error.value?.code).toBe('PLATFORM_UNREACHABLE');
      responses[name] = good;
      await standalone.load();
      expect(standalone.state.value).toBe('ready');
      expect(standalone.error.value).toBe(null);
      expect(standalone.page.adoption.version.value).toBe(13);
    },
  );

  it('keeps what was loaded before', async () => {
    const standalone = await read();
    responses['apps.list'] = failure('PLATFORM_UNREACHABLE');
    await standalone.load();
    expect(standalone.state.value).toBe('ready');
    expect(standalone.error.value?.code).toBe('PLATFORM_UNREACHABLE');
  });

  it('requests missing access, which the user can decline', async () => {
    const { 'apps.list': good } = responses;
    responses['apps.list'] = failure('HOST_PERMISSION_MISSING');
    const standalone = await read();
    responses['apps.list'] = good;
    saysYes = false;
    await standalone.allow();
    expect(standalone.state.value).toBe('failed');
    expect(requested).toEqual(['http://127.0.0.1:1']);
    saysYes = true;
    await standalone.allow();
    expect(standalone.state.value).toBe('ready');
  });
});
