/** Owns all that is known of one app, wherever its page is shown: its sessions, a version's way to its users, its own publishes. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { App } from '../../../platform-api/app.ts';
import { audienceOf } from '../../../platform-api/audience.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { PublishRecord } from '../../messaging/model/publishing.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';
import { createAdoption } from './adoption.ts';
import type { HostPage } from './host-page.ts';
import { fileName, toCsv, toJson } from './sessions-file.ts';
import { createSessions } from './sessions.ts';
import type { AppPage } from './types.ts';

export type { AppPage } from './types.ts';

export interface AppPageParts {
  send: Send;
  of: OfApp;
  /** As the list of apps has it; null while that is not there, or does not have it. */
  app: ReadonlySignal<App | null>;
  saveFile: (name: string, text: string) => void;
  world: HostPage;
}

export function createAppPage({ send, of: { environmentId, appId }, app, saveFile, world }: AppPageParts): AppPage {
  // Messages take no more than these two, a link has a version too.
  const of = { environmentId, appId };
  const releases = signal<readonly PublishRecord[]>([]);
  const releasesError = signal<ErrorValue | null>(null);
  const version = computed(() => {
    const published = releases.value.flatMap(({ outcome }) =>
      outcome?.state === 'published' && outcome.app.version !== null ? [outcome.app.version] : [],
    );
    const known = app.value?.version == null ? published : [...published, app.value.version];
    return known.length === 0 ? null : Math.max(...known);
  });
  const sessions = createSessions({
    send,
    of,
    version,
    now: world.now,
    save: (rows, format) =>
      saveFile(
        fileName({ id: of.appId, name: app.peek()?.name ?? '' }, format, world.now()),
        format === 'csv' ? toCsv(rows) : toJson(rows),
      ),
  });
  const adoption = createAdoption({ readAgain: sessions.refreshQuietly, world });

  async function readReleases(): Promise<void> {
    const [records, environments] = await Promise.all([
      send('publish.list', undefined),
      send('environments.list', undefined),
    ]);
    batch(() => {
      releasesError.value = !records.ok ? records.error : !environments.ok ? environments.error : null;
      if (!records.ok || !environments.ok) return;
      // At another address the same number is another app.
      const baseUrl = environments.value.find(({ id }) => id === of.environmentId)?.baseUrl;
      releases.value = records.value.filter(
        (record) =>
          record.environmentId === of.environmentId && record.appId === of.appId && record.baseUrl === baseUrl,
      );
    });
  }

  return {
    of,
    app,
    adoption,
    sessions: {
      ...sessions,
      async refresh() {
        await Promise.all([sessions.refresh(), readReleases()]);
      },
    },
    releases,
    releasesError,
    loadReleases: readReleases,
    audience: computed(() =>
      sessions.loadedAt.value === null ? null : audienceOf(sessions.users.value, sessions.latest.value),
    ),
    isOnline: world.isOnline,
    dispose() {
      sessions.cancel();
      adoption.dispose();
    },
  };
}
