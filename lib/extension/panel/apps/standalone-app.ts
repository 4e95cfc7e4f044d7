/** Owns an app's page that stands in a browser tab by itself: the environment and app that its link names, and what stands in the way. */
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { AppLink } from '../../messaging/model/app-link.ts';
import type { App } from '../../../platform-api/app.ts';
import type { Environment } from '../../messaging/model/environment.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { Send } from '../../messaging/protocol.ts';
import { createAppPage } from './app-page.ts';
import type { HostPage } from './host-page.ts';
import type { AppPage } from './types.ts';

export interface StandaloneAppOptions {
  send: Send;
  link: AppLink;
  /** Shows the browser's question for the access to an address; false when the person says no. */
  requestAccess(baseUrl: string): Promise<boolean>;
  saveFile(name: string, text: string): void;
  world: HostPage;
}

export interface StandaloneApp {
  /** `no-environment` and `no-app`: read, and not there. What was there once stays while it is read again, and when that fails. */
  readonly state: ReadonlySignal<'reading' | 'ready' | 'no-environment' | 'no-app' | 'failed'>;
  readonly environment: ReadonlySignal<Environment | null>;
  readonly app: ReadonlySignal<App | null>;
  /** All that the token sees. */
  readonly apps: ReadonlySignal<readonly App[]>;
  readonly error: ReadonlySignal<ErrorValue | null>;
  readonly page: AppPage;
  load(): Promise<void>;
  /** Asks the person for the access that is missing, then reads; to be called in a click's own turn. */
  allow(): Promise<void>;
}

/** The version that the link names is followed as soon as the app is there. */
export function createStandaloneApp({
  send,
  link,
  requestAccess,
  saveFile,
  world,
}: StandaloneAppOptions): StandaloneApp {
  const environment = signal<Environment | null>(null);
  const apps = signal<readonly App[] | null>(null);
  const error = signal<ErrorValue | null>(null);
  const isRead = signal(false);
  const app = computed(() => apps.value?.find(({ id }) => id === link.appId) ?? null);
  const page = createAppPage({ send, of: link, app, saveFile, world });

  async function read(): Promise<void> {
    const failed = await readAll();
    error.value = failed;
    isRead.value = true;
    if (app.peek() && link.version !== null && page.adoption.version.peek() === null) page.adoption.watch(link.version);
  }

  async function readAll(): Promise<ErrorValue | null> {
    const environments = await send('environments.list', undefined);
    if (!environments.ok) return environments.error;
    environment.value = environments.value.find(({ id }) => id === link.environmentId) ?? null;
    if (!environment.value) return null;
    const listed = await send('apps.list', { environmentId: link.environmentId });
    if (!listed.ok) return listed.error;
    apps.value = listed.value;
    return null;
  }

  return {
    environment,
    app,
    error,
    page,
    load: read,
    apps: computed(() => apps.value ?? []),
    state: computed(() => {
      if (environment.value && app.value) return 'ready';
      if (!isRead.value) return 'reading';
      return error.value ? 'failed' : environment.value ? 'no-app' : 'no-environment';
    }),
    async allow() {
      if (environment.value && (await requestAccess(environment.value.baseUrl))) await read();
    },
  };
}
