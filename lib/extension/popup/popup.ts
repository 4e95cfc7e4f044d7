/** Owns the state of quick publish: what was chosen and written, what will happen, and what became of it. The worker does the work. */
import type { ReleaseType } from '../../platform-api/app.ts';
import type { ErrorValue } from '../../platform-api/errors.ts';
import type { PublishPreview, PublishRecord } from '../messaging/model/publishing.ts';
import type { Send } from '../messaging/protocol.ts';
import { createCells } from './cells.ts';
import type { Kept, KnownApps, KnownEnvironment } from './kept.ts';

export interface PopupParts {
  send: Send;
  kept: Kept;
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back after so many milliseconds; what it answers takes it back. */
  later(work: () => void, milliseconds: number): () => void;
  notices: Notices;
}

/** The browser's permission to tell by a notification how a publish ended, which is all that is remembered of it. */
export interface Notices {
  isAllowed(): Promise<boolean>;
  /** Shows the browser's question; to be called in a click's own turn. False when the person says no. */
  allow(): Promise<boolean>;
  giveUp(): Promise<boolean>;
}

/** Apps that are older than this are read again by themselves, in milliseconds. */
const FRESH = 5 * 60_000;
const LOOK_EVERY = 300;
const RECENT = 5;

const NOT_KEPT: ErrorValue = {
  code: 'DRAFT_NOT_KEPT',
  message: 'The browser stores no more: what you write here is gone when the popup closes.',
  hint: 'Free some disk space, or publish before you close it.',
};

export type Popup = ReturnType<typeof createPopup>;

export function createPopup({ send, kept, now, later, notices }: PopupParts) {
  const { cell, derived, subscribe } = createCells();
  const environments = cell<readonly KnownEnvironment[]>(kept.environments());
  /** Whether the environments are the stored ones by now, and not those of the last opening. */
  const environmentsRead = cell(false);
  const environmentId = cell<string | null>(kept.environmentId() ?? environments.value[0]?.id ?? null);
  const known = cell<KnownApps | null>(environmentId.value === null ? null : kept.apps(environmentId.value));
  const readingApps = cell(false);
  const appId = cell<number | null>(environmentId.value === null ? null : kept.appId(environmentId.value));
  const type = cell<ReleaseType>('silent');
  const changelog = cell('');
  const preview = cell<PublishPreview | null>(null);
  const readingPreview = cell(false);
  const records = cell<readonly PublishRecord[]>([]);
  const recordsRead = cell(false);
  /** The publish that is shown instead of the form. */
  const shownId = cell<string | null>(null);
  const confirming = cell(false);
  const starting = cell(false);
  const settling = cell(false);
  const error = cell<ErrorValue | null>(null);
  const online = cell(true);
  /** Whether a notification tells how a publish ended; null while that is not known. */
  const tells = cell<boolean | null>(null);
  const tellsRefused = cell(false);
  let touched = false;
  let stopLooking: (() => void) | null = null;
  let previewing: AbortController | null = null;

  const environment = derived(() => environments.value.find(({ id }) => id === environmentId.value) ?? null);
  const app = derived(() => known.value?.apps.find(({ id }) => id === appId.value) ?? null);
  const shown = derived(() => records.value.find(({ id }) => id === shownId.value) ?? null);
  /** Different release notes that were published from here, of this app first. */
  const recent = derived(() => {
    const own = records.value.filter(
      (record) => record.environmentId === environmentId.value && record.appId === appId.value,
    );
    return [...new Set([...own, ...records.value].map(({ release }) => release.changelog))].slice(0, RECENT);
  });
  const needsConfirming = derived(() => type.value === 'forced' || environment.value?.production !== false);
  const cannotPublish = derived(() => {
    if (!environment.value) return 'Choose an environment first.';
    if (appId.value === null) return 'Choose an app first.';
    if (!changelog.value.trim()) return 'Say what the update changes.';
    if (starting.value) return 'It is being published.';
    if (!online.value) return 'This machine is offline.';
    if (!preview.value)
      return readingPreview.value
        ? 'The app’s version and users are being read.'
        : 'The app’s version could not be read.';
    return environmentsRead.value && recordsRead.value ? null : 'The environment is being read.';
  });

  function loadDraft(): void {
    const draft =
      environmentId.value === null || appId.value === null ? null : kept.draft(environmentId.value, appId.value);
    type.value = draft?.type ?? 'silent';
    changelog.value = draft?.changelog ?? '';
  }
  function keepDraft(): void {
    touched = true;
    confirming.value = false;
    if (environmentId.value === null || appId.value === null) return;
    if (!kept.keepDraft(environmentId.value, appId.value, { type: type.value, changelog: changelog.value }))
      error.value = NOT_KEPT;
    else if (error.value === NOT_KEPT) error.value = null;
  }

  async function readEnvironments(): Promise<void> {
    const answer = await send('environments.list', undefined);
    if (!answer.ok) return void (error.value = answer.error);
    kept.keepEnvironments(answer.value);
    const stays = answer.value.some(({ id }) => id === environmentId.value);
    environments.value = answer.value;
    environmentsRead.value = true;
    if (stays) return;
    if (answer.value[0]) await chooseEnvironment(answer.value[0].id);
    else environmentId.value = null;
  }

  async function readApps(): Promise<void> {
    const of = environmentId.value;
    if (of === null) return;
    readingApps.value = true;
    const answer = await send('apps.list', { environmentId: of });
    if (environmentId.value !== of) return;
    readingApps.value = false;
    if (!answer.ok) return void (error.value = answer.error);
    const apps = answer.value.filter(({ deletedAt }) => deletedAt === null);
    kept.keepApps(of, { at: now(), apps });
    known.value = { at: now(), apps };
  }

  async function readPreview(): Promise<void> {
    const [of, id] = [environmentId.value, appId.value];
    preview.value = null;
    // Who reads again does not wait for what hangs.
    previewing?.abort();
    const mine = (previewing = new AbortController());
    if (of === null || id === null) return;
    readingPreview.value = true;
    const answer = await send('publish.preview', { environmentId: of, appId: id }, mine.signal);
    if (previewing !== mine || environmentId.value !== of || appId.value !== id) return;
    readingPreview.value = false;
    if (answer.ok) preview.value = answer.value;
    else error.value = answer.error;
  }

  /** Reads all publishes; looks again while one is under way. */
  async function readRecords(): Promise<void> {
    stopLooking?.();
    stopLooking = null;
    const answer = await send('publish.list', undefined);
    if (!answer.ok) {
      error.value = answer.error;
      if (shown.value?.outcome === null) stopLooking = later(() => void readRecords(), LOOK_EVERY);
      return;
    }
    take(answer.value);
    if (answer.value.some(({ outcome }) => outcome === null)) stopLooking = later(() => void readRecords(), LOOK_EVERY);
  }

  function take(all: readonly PublishRecord[]): void {
    records.value = all;
    shownId.value = wanted(all)?.id ?? null;
    recordsRead.value = true;
    const ended = shown.value;
    if (!ended?.outcome || ended.seen) return;
    if (ended.outcome.state === 'published') {
      kept.keepDraft(ended.environmentId, ended.appId, null);
      if (ended.environmentId === environmentId.value && ended.appId === appId.value) loadDraft();
    }
    records.value = records.value.map((one) => (one.id === ended.id ? { ...one, seen: true } : one));
    void send('publish.seen', { ids: [ended.id] });
  }

  /** The publish to show: what is shown stays; else one of the chosen app that is open or unseen; else, at the opening, any such. */
  function wanted(all: readonly PublishRecord[]): PublishRecord | undefined {
    const still = all.find(({ id }) => id === shownId.value);
    if (still) return still;
    const own = all.find(
      (one) => one.environmentId === environmentId.value && one.appId === appId.value && isNews(one),
    );
    if (own || touched || recordsRead.value) return own;
    const news = all.find((one) => isNews(one) && environments.value.some(({ id }) => id === one.environmentId));
    if (news && (news.environmentId !== environmentId.value || news.appId !== appId.value)) {
      if (news.environmentId !== environmentId.value) void chooseEnvironment(news.environmentId);
      select(news.appId);
    }
    return news;
  }

  async function chooseEnvironment(id: string): Promise<void> {
    environmentId.value = id;
    known.value = kept.apps(id);
    appId.value = kept.appId(id);
    shownId.value = null;
    confirming.value = false;
    error.value = null;
    loadDraft();
    kept.keepEnvironmentId(id);
    await Promise.all([isFresh() ? null : readApps(), readPreview()]);
  }

  function select(id: number): void {
    appId.value = id;
    confirming.value = false;
    loadDraft();
    if (environmentId.value !== null) kept.keepAppId(environmentId.value, id);
    void readPreview();
  }

  const isFresh = (): boolean => known.value !== null && now() - known.value.at < FRESH;

  async function start(): Promise<void> {
    const seen = preview.value;
    const of = environmentId.value;
    if (cannotPublish.value || !seen || of === null) return;
    starting.value = true;
    error.value = null;
    const id = crypto.randomUUID();
    shownId.value = id;
    const answer = await send('publish.start', {
      id,
      environmentId: of,
      appId: seen.appId,
      appName: seen.name,
      release: { type: type.value, changelog: changelog.value },
      expected: seen.current,
    });
    starting.value = false;
    confirming.value = false;
    if (answer.ok) records.value = [answer.value, ...records.value.filter((one) => one.id !== id)];
    else error.value = answer.error;
    await readRecords();
    // The intent comes before the request: where there is none, nothing was sent.
    if (error.value?.code === 'WORKER_UNREACHABLE')
      error.value =
        shown.value?.id === id
          ? null
          : {
              ...error.value,
              code: 'PUBLISH_NOT_SENT',
              message: 'The extension’s background worker stopped before anything was sent: nothing was published.',
              hint: 'Publish again.',
            };
  }

  async function change(name: 'publish.settle' | 'publish.discard'): Promise<void> {
    const id = shownId.value;
    if (id === null || settling.value) return;
    settling.value = true;
    const answer = await send(name, { id });
    settling.value = false;
    error.value = answer.ok ? null : answer.error;
    if (answer.ok && name === 'publish.discard') shownId.value = null;
    await readRecords();
    if (name === 'publish.discard') await readPreview();
  }

  async function setTells(on: boolean): Promise<void> {
    tellsRefused.value = false;
    await (on ? notices.allow() : notices.giveUp());
    tells.value = await notices.isAllowed();
    tellsRefused.value = on && !tells.value;
  }

  loadDraft();
  return {
    subscribe,
    environments,
    environmentsRead,
    environment,
    known,
    readingApps,
    app,
    appId,
    type,
    changelog,
    preview,
    readingPreview,
    recent,
    shown,
    confirming,
    starting,
    settling,
    error,
    online,
    tells,
    tellsRefused,
    setTells,
    needsConfirming,
    cannotPublish,
    now,
    /** Reads what has to be fresh; what is kept is there already. */
    open: async (): Promise<void> => {
      void notices.isAllowed().then((allowed) => (tells.value = allowed));
      await Promise.all([readEnvironments().then(() => readRecords()), isFresh() ? null : readApps(), readPreview()]);
    },
    chooseEnvironment: (id: string) => {
      touched = true;
      return chooseEnvironment(id).then(readRecords);
    },
    chooseApp: (id: number) => {
      touched = true;
      shownId.value = null;
      error.value = null;
      select(id);
      take(records.value);
    },
    setType: (to: ReleaseType) => {
      type.value = to;
      keepDraft();
    },
    setChangelog: (to: string) => {
      changelog.value = to;
      keepDraft();
    },
    refresh: () => {
      error.value = null;
      return Promise.all([
        environmentsRead.value ? null : readEnvironments(),
        readApps(),
        readPreview(),
        readRecords(),
      ]);
    },
    /** Publishes; what needs a second step is asked first. */
    publish: () => {
      if (cannotPublish.value) return;
      if (needsConfirming.value && !confirming.value) confirming.value = true;
      else void start();
    },
    back: () => {
      confirming.value = false;
    },
    lookAgain: () => change('publish.settle'),
    letGo: () => change('publish.discard'),
    /** From an outcome back to the form. */
    another: () => {
      shownId.value = null;
      error.value = null;
      return readPreview();
    },
    dismiss: () => {
      error.value = null;
    },
    dispose: () => stopLooking?.(),
  };
}

const isNews = ({ outcome, discarded, seen }: PublishRecord): boolean =>
  outcome === null || !seen || (outcome.state === 'unknown' && !discarded);
