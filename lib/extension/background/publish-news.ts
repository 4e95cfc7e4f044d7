/** Owns the notification of a publish that ended while no popup was open: one for each outcome, gone when it was seen. */
import type { PublishRecord } from '../../platform-api/index.ts';
import { appLink } from '../messaging/model/app-link.ts';
import { markOf } from './publish-badge.ts';
import type { PublishStore } from './publish-store.ts';

/** The part of `browser.notifications` that is used. */
export interface Notifications {
  create(id: string, notification: { type: 'basic'; iconUrl: string; title: string; message: string }): Promise<string>;
  clear(id: string): Promise<boolean>;
  getAll(): Promise<Record<string, unknown>>;
}

export interface NewsParts {
  store: Pick<PublishStore, 'list' | 'change'>;
  /** Undefined as long as the person has not allowed notifications. */
  notifications(): Notifications | undefined;
  /** An open popup shows the outcome itself. */
  isPopupOpen(): Promise<boolean>;
  iconUrl: string;
  /** Opens a page of the extension, by its path, in a tab. */
  openPage(path: string): Promise<unknown>;
  openPopup(): Promise<void>;
  later(work: () => void, milliseconds: number): void;
}

export interface PublishNews {
  /** Tells what is new among all records, and takes back what is no longer. Never rejects: the mark on the button says it too. */
  tell(records: readonly PublishRecord[]): Promise<void>;
  /** Goes where a notification leads that was clicked. Never rejects. */
  follow(notificationId: string): Promise<void>;
}

const PREFIX = 'publish.';
/** A popup that is open can be closed before it has shown the outcome: it is looked for again, in milliseconds, and so often. */
const LOOK_EVERY = 2_000;
const LOOKS = 30;

export function createPublishNews({
  store,
  notifications,
  isPopupOpen,
  iconUrl,
  openPage,
  openPopup,
  later,
}: NewsParts): PublishNews {
  let looks = 0;
  /** One after the other: what was seen meanwhile is taken back after it was shown, not before. */
  let last: Promise<void> = Promise.resolve();

  function tell(records: readonly PublishRecord[]): Promise<void> {
    last = last.then(() => tellNow(records)).catch(() => {});
    return last;
  }

  async function tellNow(records: readonly PublishRecord[]): Promise<void> {
    const shown = notifications();
    if (!shown) return;
    const unseen = records.filter(({ outcome, seen }) => outcome !== null && !seen);
    const ids = new Set(unseen.map(({ id }) => PREFIX + id));
    for (const id of Object.keys(await shown.getAll()))
      if (id.startsWith(PREFIX) && !ids.has(id)) await shown.clear(id);
    const news = unseen.filter(({ told }) => !told);
    if (news.length === 0) looks = 0;
    else if (await isPopupOpen()) lookAgain();
    else {
      for (const { id } of news) {
        const mine = await claim(id);
        if (mine) await shown.create(PREFIX + id, { type: 'basic', iconUrl, ...wordsOf(mine) });
      }
    }
  }

  function lookAgain(): void {
    looks += 1;
    if (looks <= LOOKS) later(() => void store.list().then(tell, () => {}), LOOK_EVERY);
  }

  /** On disk before it is shown: a worker that dies in between leaves the mark on the button, and none tells it twice. */
  async function claim(id: string): Promise<PublishRecord | undefined> {
    let isMine = false;
    const record = await store.change(id, (now) => {
      isMine = now.outcome !== null && !now.seen && !now.told;
      return isMine ? { ...now, told: true } : now;
    });
    return isMine ? record : undefined;
  }

  async function follow(notificationId: string): Promise<void> {
    await notifications()?.clear(notificationId);
    const record = (await store.list()).find(({ id }) => PREFIX + id === notificationId);
    if (record?.outcome?.state === 'published')
      await openPage(appLink({ ...record, version: record.outcome.app.version }));
    // Not every browser opens it without a click on its own button.
    else await openPopup().catch(() => openPage('popup.html'));
  }

  return { tell, follow: (notificationId) => follow(notificationId).catch(() => {}) };
}

function wordsOf(record: PublishRecord): { title: string; message: string } {
  const { appId, appName, release, outcome } = record;
  const version =
    outcome?.state === 'published' && outcome.app.version !== null ? `version ${outcome.app.version}, ` : '';
  return {
    title: markOf([record])?.title ?? '',
    message: `${isolated(appName) || `App ${appId}`}: ${version}${release.type}. ${outcome?.state === 'published' ? 'Click to see who has it.' : 'Click to see why.'}`,
  };
}

/** As many characters as a notification shows. */
const NAME_LENGTH = 80;

/** A name as a text among others: one line, short, and its direction its own. */
function isolated(name: string): string {
  const line = [
    ...name
      .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ];
  return line.length === 0
    ? ''
    : `\u2068${line.length > NAME_LENGTH ? `${line.slice(0, NAME_LENGTH).join('')}…` : line.join('')}\u2069`;
}
