/** Lists environments and apps, and remembers which are selected. */
import { computed, signal, type Signal } from '@preact/signals';
import type { ErrorValue } from '../../platform-api/errors.ts';
import { unreadableOf } from '../../platform-api/lists/unreadable.ts';
import { isRecent } from '../../shared/format.ts';
import type { Send } from '../messaging/protocol.ts';
import type { SavedApps, SavedEnvironment, SavedState } from './saved-state.ts';

/** In milliseconds. App lists older than this are reloaded when the popup opens. */
const MAX_AGE = 5 * 60_000;
/** App lists older than this are reloaded when no app matches. */
const MAX_AGE_IN_SEARCH = 2_000;

export interface AppSelectionOptions {
  send: Send;
  saved: SavedState;
  error: Signal<ErrorValue | null>;
  now: () => number;
}

export class AppSelection {
  readonly environments: Signal<readonly SavedEnvironment[]>;
  /** False while showing environments saved when the popup was last open. */
  readonly environmentsLoaded = signal(false);
  /** The number of damaged environments in quarantine, if there’s no other one. */
  readonly quarantined = signal(0);
  readonly environmentId: Signal<string | null>;
  readonly apps: Signal<SavedApps | null>;
  readonly appsLoading = signal(false);
  readonly appId: Signal<number | null>;
  readonly environment = computed(() => this.environments.value.find(({ id }) => id === this.environmentId.value));
  readonly app = computed(() => this.apps.value?.apps.find(({ id }) => id === this.appId.value));
  readonly now: () => number;
  readonly #send: Send;
  readonly #saved: SavedState;
  readonly #error: Signal<ErrorValue | null>;

  constructor({ send, saved, error, now }: AppSelectionOptions) {
    this.#send = send;
    this.#saved = saved;
    this.#error = error;
    this.now = now;
    const environments = saved.environments();
    const id = saved.environmentId() ?? environments[0]?.id ?? null;
    this.environments = signal(environments);
    this.environmentId = signal(id);
    this.apps = signal(id === null ? null : saved.apps(id));
    this.appId = signal(id === null ? null : saved.appId(id));
  }

  /** The stored environments, or null if they couldn’t be loaded. */
  async loadEnvironments(): Promise<readonly SavedEnvironment[] | null> {
    const answer = await this.#send('environments.list', undefined);
    if (!answer.ok) {
      this.#error.value = answer.error;
      return null;
    }
    if (answer.value.length === 0) {
      const state = await this.#send('vault.state', undefined);
      this.quarantined.value = state.ok ? state.value.quarantined : 0;
    }
    this.#saved.saveEnvironments(answer.value);
    this.environments.value = answer.value;
    this.environmentsLoaded.value = true;
    if (answer.value.length === 0) this.environmentId.value = null;
    return answer.value;
  }

  async loadApps(): Promise<void> {
    const environmentId = this.environmentId.value;
    if (environmentId === null) return;
    this.appsLoading.value = true;
    const answer = await this.#send('apps.list', { environmentId });
    if (this.environmentId.value !== environmentId) return;
    this.appsLoading.value = false;
    if (!answer.ok) {
      this.#error.value = answer.error;
      return;
    }
    const apps = {
      at: this.now(),
      apps: answer.value.filter(({ deletedAt }) => deletedAt === null),
      unreadable: unreadableOf(answer.value),
    };
    this.#saved.saveApps(environmentId, apps);
    this.apps.value = apps;
  }

  async loadOldApps(maxAge = MAX_AGE): Promise<void> {
    const { value } = this.apps;
    if (value === null || !isRecent(value.at, maxAge, this.now())) await this.loadApps();
  }

  /** Called when no app matches a search: the app can have been made since. */
  async searchAgain(): Promise<void> {
    if (!this.appsLoading.peek()) await this.loadOldApps(MAX_AGE_IN_SEARCH);
  }

  selectEnvironment(id: string): void {
    this.environmentId.value = id;
    this.apps.value = this.#saved.apps(id);
    this.appId.value = this.#saved.appId(id);
    this.#saved.saveEnvironmentId(id);
  }

  selectApp(id: number): void {
    this.appId.value = id;
    if (this.environmentId.value !== null) this.#saved.saveAppId(this.environmentId.value, id);
  }
}
