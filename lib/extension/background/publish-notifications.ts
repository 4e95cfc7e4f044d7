import { visible } from '../../shared/invisible.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { appLink } from '../messaging/model/app-link.ts';
import { badgeOf } from './publish-badge.ts';
import type { PublishStore } from './publish-store.ts';
import type { PublishRecord } from '../messaging/model/publishing.ts';

/** The subset of `browser.notifications` that this module uses. */
export interface Notifications {
  create(id: string, notification: { type: 'basic'; iconUrl: string; title: string; message: string }): Promise<string>;
  clear(id: string): Promise<boolean>;
  getAll(): Promise<Record<string, unknown>>;
}

export interface PublishNotifierOptions {
  store: Pick<PublishStore, 'list' | 'change'>;
  /** Undefined until the user allows notifications. */
  notifications(): Notifications | undefined;
  /** Whether the popup is open. An open popup shows the outcome itself. */
  isPopupOpen(): Promise<boolean>;
  iconUrl: string;
  /** Opens an extension page in a tab. */
  openPage(path: string): Promise<unknown>;
  openPopup(): Promise<void>;
  schedule(callback: () => void, milliseconds: number): void;
}

const PREFIX = 'publish.';
/** In milliseconds. The user might close the popup before it shows the outcome, so the check is repeated. */
const CHECK_INTERVAL = 2_000;
const MAX_CHECKS = 30;

export class PublishNotifier {
  readonly #options: PublishNotifierOptions;
  readonly #queue = new SerialQueue();
  #checks = 0;

  constructor(options: PublishNotifierOptions) {
    this.#options = options;
  }

  /** Shows new outcomes and clears seen ones. Never rejects, since the badge shows the same information. */
  update(records: readonly PublishRecord[]): Promise<void> {
    return this.#queue.run(() => this.#update(records)).catch(() => {});
  }

  /** Opens the view that a clicked notification refers to. Never rejects. */
  async open(notificationId: string): Promise<void> {
    await this.#open(notificationId).catch(() => {});
  }

  async #update(records: readonly PublishRecord[]): Promise<void> {
    const notifications = this.#options.notifications();
    if (!notifications) return;
    const unseen = records.filter(({ outcome, seen }) => outcome !== null && !seen);
    const ids = new Set(unseen.map(({ id }) => PREFIX + id));
    for (const id of Object.keys(await notifications.getAll()))
      if (id.startsWith(PREFIX) && !ids.has(id)) await notifications.clear(id);
    const unreported = unseen.filter(({ told }) => !told);
    if (unreported.length === 0) this.#checks = 0;
    else if (await this.#options.isPopupOpen()) this.#checkLater();
    else for (const { id } of unreported) await this.#show(id, notifications);
  }

  async #show(id: string, notifications: Notifications): Promise<void> {
    const record = await this.#claim(id);
    const { iconUrl } = this.#options;
    if (record) await notifications.create(PREFIX + id, { type: 'basic', iconUrl, ...notificationText(record) });
  }

  #checkLater(): void {
    const { store, schedule } = this.#options;
    this.#checks += 1;
    if (this.#checks > MAX_CHECKS) return;
    schedule(
      () =>
        void store.list().then(
          (records) => this.update(records),
          () => {},
        ),
      CHECK_INTERVAL,
    );
  }

  /**
   * Marks the record as notified before showing the notification. If the worker stops in between, the badge still shows
   * the outcome, and no notification appears twice.
   */
  async #claim(id: string): Promise<PublishRecord | undefined> {
    let isClaimed = false;
    const record = await this.#options.store.change(id, (now) => {
      isClaimed = now.outcome !== null && !now.seen && !now.told;
      return isClaimed ? { ...now, told: true } : now;
    });
    return isClaimed ? record : undefined;
  }

  async #open(notificationId: string): Promise<void> {
    const { notifications, store, openPage, openPopup } = this.#options;
    await notifications()?.clear(notificationId);
    const record = (await store.list()).find(({ id }) => PREFIX + id === notificationId);
    if (record?.outcome?.state === 'published')
      await openPage(appLink({ ...record, version: record.outcome.app.version }));
    // Some browsers open the popup only when the user clicks the toolbar button.
    else await openPopup().catch(() => openPage('popup.html'));
  }
}

function notificationText(record: PublishRecord): { title: string; message: string } {
  const { appId, appName, release, outcome } = record;
  const isPublished = outcome?.state === 'published';
  const version = isPublished && outcome.app.version !== null ? `version ${outcome.app.version}, ` : '';
  return {
    title: badgeOf([record])?.title ?? '',
    message: `${isolate(appName) || `App ${appId}`}: ${version}${release.type}. ${isPublished ? 'Click to see who has it.' : 'Click to see why.'}`,
  };
}

/** In characters. Notifications show about this many characters. */
const NAME_LENGTH = 80;

/** Shortens a name to one line, and keeps its text direction from affecting the surrounding text. */
function isolate(name: string): string {
  const line = visible(name.replace(/\s+/g, ' ').trim());
  const characters = [...line];
  const short = characters.length > NAME_LENGTH ? `${characters.slice(0, NAME_LENGTH).join('')}…` : line;
  return short === '' ? '' : `\u2068${short}\u2069`;
}
