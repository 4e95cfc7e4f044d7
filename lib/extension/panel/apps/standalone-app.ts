/** An app's page in its own browser tab, for the environment and app named in its link. */
import { computed, signal } from '@preact/signals';
import type { App } from '../../../platform-api/app.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { AppLink } from '../../messaging/model/app-link.ts';
import type { Environment } from '../../messaging/model/environment.ts';
import type { Send } from '../../messaging/protocol.ts';
import { AppPage } from './app-page.ts';
import type { HostPage } from './host-page.ts';

export interface StandaloneAppOptions {
  send: Send;
  link: AppLink;
  /** Requests access to a base URL. Resolves to false if the user declines. */
  requestAccess(baseUrl: string): Promise<boolean>;
  saveFile(name: string, text: string): void;
  host: HostPage;
}

export class StandaloneApp {
  readonly #options: StandaloneAppOptions;
  readonly #environment = signal<Environment | null>(null);
  readonly #apps = signal<readonly App[] | null>(null);
  readonly #error = signal<ErrorValue | null>(null);
  readonly #isLoaded = signal(false);
  readonly page: AppPage;

  readonly environment = computed(() => this.#environment.value);
  readonly app = computed(() => this.#apps.value?.find(({ id }) => id === this.#options.link.appId) ?? null);
  /** All apps that the token has access to. */
  readonly apps = computed(() => this.#apps.value ?? []);
  readonly error = computed(() => this.#error.value);
  /** Stays `ready` while reloading, and if that fails. */
  readonly state = computed((): 'loading' | 'ready' | 'no-environment' | 'no-app' | 'failed' => {
    if (this.#environment.value && this.app.value) return 'ready';
    if (!this.#isLoaded.value) return 'loading';
    if (this.#error.value) return 'failed';
    return this.#environment.value ? 'no-app' : 'no-environment';
  });

  constructor(options: StandaloneAppOptions) {
    this.#options = options;
    const { send, link, saveFile, host } = options;
    this.page = new AppPage({ send, of: link, app: this.app, saveFile, host });
  }

  /** Loads the app, then tracks the version named in the link. */
  load = async (): Promise<void> => {
    this.#error.value = await this.#loadApps();
    this.#isLoaded.value = true;
    const { version } = this.#options.link;
    const { adoption } = this.page;
    if (this.app.peek() && version !== null && adoption.version.peek() === null) adoption.watch(version);
  };

  /** Requests missing access, then loads. Must be called directly in a click handler. */
  allow = async (): Promise<void> => {
    const environment = this.#environment.peek();
    if (environment && (await this.#options.requestAccess(environment.baseUrl))) await this.load();
  };

  async #loadApps(): Promise<ErrorValue | null> {
    const { send, link } = this.#options;
    const environments = await send('environments.list', undefined);
    if (!environments.ok) return environments.error;
    this.#environment.value = environments.value.find(({ id }) => id === link.environmentId) ?? null;
    if (!this.#environment.value) return null;
    const apps = await send('apps.list', { environmentId: link.environmentId });
    if (!apps.ok) return apps.error;
    this.#apps.value = apps.value;
    return null;
  }
}
