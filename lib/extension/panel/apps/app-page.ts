/**
 * State of one app's page, in the panel or in a browser tab: sessions, a version's adoption, and releases published
 * here.
 */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { App } from '../../../platform-api/app.ts';
import { audienceOf } from '../../../platform-api/sessions/audience.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { PublishRecord } from '../../messaging/model/publishing.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';
import { Adoption } from './adoption.ts';
import { tableFileName } from '../shared/table-file.ts';
import type { HostPage } from './host-page.ts';
import { Sessions } from './sessions.ts';
import { toCsv, toJson } from './sessions-file.ts';
import type { SessionRow } from './types.ts';

export interface AppPageOptions {
  send: Send;
  of: OfApp;
  /** From the app list; null while the list isn't loaded, or if it doesn't contain the app. */
  app: ReadonlySignal<App | null>;
  saveFile: (name: string, text: string) => void;
  host: HostPage;
}

export class AppPage {
  readonly of: OfApp;
  readonly app: AppPageOptions['app'];
  /** As reported by the browser. A platform on this computer also works offline. */
  readonly isOnline: HostPage['isOnline'];
  readonly sessions: Sessions;
  readonly adoption: Adoption;
  /** Published from this browser to the environment's base URL, newest first; null until loaded. */
  readonly releases = signal<readonly PublishRecord[] | null>(null);
  readonly releasesError = signal<ErrorValue | null>(null);
  readonly #options: AppPageOptions;

  /** Null until the sessions are loaded. */
  readonly audience = computed(() =>
    this.sessions.loadedAt.value === null ? null : audienceOf(this.sessions.users.value, this.sessions.latest.value),
  );
  readonly #version = computed(() => {
    const published = (this.releases.value ?? []).map(({ outcome }) =>
      outcome?.state === 'published' ? outcome.app.version : null,
    );
    const known = [...published, this.app.value?.version ?? null].filter((version) => version !== null);
    return known.length === 0 ? null : Math.max(...known);
  });

  constructor(options: AppPageOptions) {
    const { send, app, host } = options;
    this.#options = options;
    // Leave out the app link's version, because messages don't accept it.
    this.of = { environmentId: options.of.environmentId, appId: options.of.appId };
    this.app = app;
    this.isOnline = host.isOnline;
    this.sessions = new Sessions({
      send,
      of: this.of,
      version: this.#version,
      now: host.now,
      save: (rows, format) => this.#save(rows, format),
    });
    this.adoption = new Adoption({ refresh: this.sessions.refreshQuietly, host });
  }

  /** Refreshes sessions and releases. */
  refresh = async (): Promise<void> => {
    await Promise.all([this.sessions.refresh(), this.loadReleases()]);
  };

  async loadReleases(): Promise<void> {
    const { send } = this.#options;
    const { environmentId, appId } = this.of;
    const [records, environments] = await Promise.all([
      send('publish.list', undefined),
      send('environments.list', undefined),
    ]);
    batch(() => {
      this.releasesError.value = !records.ok ? records.error : !environments.ok ? environments.error : null;
      if (!records.ok || !environments.ok) return;
      // Under another base URL, the same ID belongs to another app.
      const baseUrl = environments.value.find(({ id }) => id === environmentId)?.baseUrl;
      this.releases.value = records.value.filter(
        (record) => record.environmentId === environmentId && record.appId === appId && record.baseUrl === baseUrl,
      );
    });
  }

  dispose(): void {
    this.sessions.cancel();
    this.adoption.dispose();
  }

  #save(rows: readonly SessionRow[], format: 'csv' | 'json'): void {
    const { saveFile, host } = this.#options;
    const app = { id: this.of.appId, name: this.app.peek()?.name ?? '' };
    const name = tableFileName({ app, what: 'sessions', format, now: host.now() });
    saveFile(name, format === 'csv' ? toCsv(rows) : toJson(rows));
  }
}
