/** The popup’s state: prepares a release, publishes it through the background worker, and shows the outcome. */
import { batch, computed, signal } from '@preact/signals';
import type { ReleaseType } from '../../platform-api/app.ts';
import type { ErrorValue } from '../../platform-api/errors.ts';
import type { AppLink } from '../messaging/model/app-link.ts';
import type { PublishPreview, PublishRecord } from '../messaging/model/publishing.ts';
import type { Send } from '../messaging/protocol.ts';
import type { StoredData } from '../messaging/stored-changes.ts';
import { AppSelection } from './app-selection.ts';
import { type NotificationPermission, NotificationSetting } from './notification-setting.ts';
import { ReleaseDraft } from './release-draft.ts';
import type { SavedState } from './saved-state.ts';

export interface PopupOptions {
  send: Send;
  saved: SavedState;
  notifications: NotificationPermission;
  /** The app to select, from a link to the popup. By default, the last selected one. */
  link?: Pick<AppLink, 'environmentId' | 'appId'> | null;
  /** Epoch milliseconds. */
  now?: () => number;
  /** Calls `callback` after a delay, and returns a function that cancels it. */
  schedule?: (callback: () => void, milliseconds: number) => () => void;
}

const POLL_INTERVAL = 300;
const RECENT_NOTES = 5;

export class Popup {
  readonly error = signal<ErrorValue | null>(null);
  readonly selection: AppSelection;
  readonly draft: ReleaseDraft;
  readonly notifications: NotificationSetting;
  readonly preview = signal<PublishPreview | null>(null);
  readonly previewLoading = signal(false);
  readonly records = signal<readonly PublishRecord[]>([]);
  readonly recordsLoaded = signal(false);
  readonly isConfirming = signal(false);
  readonly isStarting = signal(false);
  readonly isSettling = signal(false);
  /** As reported by the browser. A platform on this computer also works without a network. */
  readonly isOnline = signal(true);
  /** The publish shown in place of the form. */
  readonly shown = computed(() => this.records.value.find(({ id }) => id === this.#shownId.value) ?? null);
  /** Distinct release notes published from here. Those of the selected app come first. */
  readonly recentNotes = computed(() => {
    const all = this.records.value;
    return [...new Set([...all.filter(this.#isSelected), ...all].map(({ release }) => release.changelog))].slice(
      0,
      RECENT_NOTES,
    );
  });
  readonly needsConfirmation = computed(
    () => this.draft.type.value === 'forced' || this.selection.environment.value?.production !== false,
  );
  /** Why the release can’t be published now; null if it can. */
  readonly disabledReason = computed((): string | null => {
    const { environment, environmentsLoaded, appId } = this.selection;
    if (!environment.value) return 'Choose an environment';
    if (appId.value === null) return 'Choose an app';
    if (!this.draft.changelog.value.trim()) return 'Enter release notes';
    if (this.isStarting.value) return 'Publishing…';
    if (this.previewLoading.value) return 'Loading version and users…';
    if (!this.preview.value) return 'Refresh to load the app’s version';
    return environmentsLoaded.value && this.recordsLoaded.value ? null : 'Loading environment…';
  });
  /** Whether the publish shown can’t be repeated: it may have happened, or the app has changed since. */
  readonly cannotTryAgain = computed(() => {
    const outcome = this.shown.value?.outcome;
    return outcome?.state !== 'failed' || outcome.error.code === 'APP_CHANGED';
  });
  readonly #send: Send;
  readonly #saved: SavedState;
  readonly #schedule: NonNullable<PopupOptions['schedule']>;
  readonly #shownId = signal<string | null>(null);
  readonly #isSelected = ({ environmentId, appId }: Pick<PublishRecord, 'environmentId' | 'appId'>): boolean =>
    environmentId === this.selection.environmentId.value && appId === this.selection.appId.value;
  /** Set once the user types or chooses something, or follows a link. The popup then no longer switches to another app’s outcome. */
  #wasTouched = false;
  #cancelPoll: (() => void) | null = null;
  #loadingPreview: AbortController | null = null;

  constructor({ send, saved, notifications, link = null, now = Date.now, schedule = scheduleWithTimer }: PopupOptions) {
    this.#send = send;
    this.#saved = saved;
    this.#schedule = schedule;
    this.selection = new AppSelection({ send, saved, error: this.error, now });
    if (link) {
      this.selection.selectEnvironment(link.environmentId);
      this.selection.selectApp(link.appId);
      this.#wasTouched = true;
    }
    this.draft = new ReleaseDraft(this.selection, saved, this.error);
    this.notifications = new NotificationSetting(notifications);
  }

  async open(): Promise<void> {
    void this.notifications.load();
    await Promise.all([
      this.#loadEnvironments().then(() => this.#loadRecords()),
      this.selection.loadOldApps(),
      this.#loadPreview(),
    ]);
  }

  async refresh(): Promise<void> {
    this.error.value = null;
    await Promise.all([
      this.selection.environmentsLoaded.value ? null : this.#loadEnvironments(),
      this.selection.loadApps(),
      this.#loadPreview(),
      this.#loadRecords(),
    ]);
  }

  async chooseEnvironment(id: string): Promise<void> {
    this.#wasTouched = true;
    await this.#selectEnvironment(id);
    await this.#loadRecords();
  }

  chooseApp(id: number): void {
    this.#wasTouched = true;
    this.#shownId.value = null;
    this.error.value = null;
    this.#selectApp(id);
    this.#setRecords(this.records.value);
  }

  setType(type: ReleaseType): void {
    this.draft.type.value = type;
    this.#saveDraft();
  }

  setChangelog(changelog: string): void {
    this.draft.changelog.value = changelog;
    this.#saveDraft();
  }

  /** Publishes, or asks for confirmation first. */
  publish(): void {
    if (this.disabledReason.value !== null) return;
    if (this.needsConfirmation.value && !this.isConfirming.value) this.isConfirming.value = true;
    else void this.#start();
  }

  cancelConfirmation(): void {
    this.isConfirming.value = false;
  }

  /** Stops loading the app’s version and users. */
  cancelPreview(): void {
    this.#loadingPreview?.abort();
    this.#loadingPreview = null;
    this.previewLoading.value = false;
  }

  /** Cancels the publish shown, unless its request was sent in the meantime. */
  async cancelPublish(): Promise<void> {
    await this.#changeShown('publish.cancel');
  }

  /** Publishes a failed release again, as a new intent that asks for confirmation like any other. */
  async tryAgain(): Promise<void> {
    const record = this.shown.peek();
    if (!record || this.cannotTryAgain.peek()) return;
    batch(() => {
      this.draft.type.value = record.release.type;
      this.setChangelog(record.release.changelog);
    });
    await this.backToForm();
    const { type, changelog } = this.draft;
    const isUnchanged =
      this.#isSelected(record) && type.peek() === record.release.type && changelog.peek() === record.release.changelog;
    // While the app’s version loaded, the form was there to select and enter something else.
    if (isUnchanged) this.publish();
  }

  /** Reads the app again to settle an unknown outcome. */
  async checkAgain(): Promise<void> {
    await this.#changeShown('publish.settle');
  }

  /** Dismisses an unknown outcome. */
  async dismissOutcome(): Promise<void> {
    await this.#changeShown('publish.discard');
    await this.#loadPreview();
  }

  /** Returns from an outcome to the form. */
  async backToForm(): Promise<void> {
    this.#shownId.value = null;
    this.error.value = null;
    await this.#loadPreview();
  }

  dismissError(): void {
    this.error.value = null;
  }

  /** Clears the error about a change that was refused because tokens were locked. */
  handleUnlock(): void {
    if (this.error.value?.code === 'VAULT_LOCKED') this.error.value = null;
  }

  /** Called when another page of the extension has changed stored data. */
  async handleStored(what: StoredData): Promise<void> {
    if (what === 'environments') {
      // It might be another platform now.
      this.isConfirming.value = false;
      void this.#loadPreview();
      await this.#loadEnvironments();
    }
    await this.#loadRecords();
  }

  dispose(): void {
    this.#cancelPoll?.();
  }

  #saveDraft(): void {
    this.#wasTouched = true;
    this.isConfirming.value = false;
    void this.draft.save();
  }

  async #loadEnvironments(): Promise<void> {
    const all = await this.selection.loadEnvironments();
    const isKnown = all?.some(({ id }) => id === this.selection.environmentId.value);
    if (all?.[0] && !isKnown) await this.#selectEnvironment(all[0].id);
  }

  async #selectEnvironment(id: string): Promise<void> {
    batch(() => {
      this.selection.selectEnvironment(id);
      this.#shownId.value = null;
      this.isConfirming.value = false;
      this.error.value = null;
      this.draft.load();
    });
    await Promise.all([this.selection.loadOldApps(), this.#loadPreview()]);
  }

  #selectApp(id: number): void {
    batch(() => {
      this.selection.selectApp(id);
      this.isConfirming.value = false;
      this.draft.load();
    });
    void this.#loadPreview();
  }

  async #loadPreview(): Promise<void> {
    const [environmentId, appId] = [this.selection.environmentId.value, this.selection.appId.value];
    this.preview.value = null;
    // Don’t wait for an earlier load, which might hang.
    this.#loadingPreview?.abort();
    const loading = (this.#loadingPreview = new AbortController());
    if (environmentId === null || appId === null) return;
    this.previewLoading.value = true;
    const answer = await this.#send('publish.preview', { environmentId, appId }, loading.signal);
    if (this.#loadingPreview !== loading || !this.#isSelected({ environmentId, appId })) return;
    this.previewLoading.value = false;
    if (answer.ok) this.preview.value = answer.value;
    else this.error.value = answer.error;
  }

  /** Loads all publishes, and polls while one is running. Resolves to whether they could be loaded. */
  async #loadRecords(): Promise<boolean> {
    this.#cancelPoll?.();
    this.#cancelPoll = null;
    const answer = await this.#send('publish.list', undefined);
    if (answer.ok) this.#setRecords(answer.value);
    else this.error.value = answer.error;
    const isRunning = answer.ok
      ? answer.value.some(({ outcome }) => outcome === null)
      : this.shown.value?.outcome === null;
    if (isRunning) this.#cancelPoll = this.#schedule(() => void this.#loadRecords(), POLL_INTERVAL);
    return answer.ok;
  }

  #setRecords(all: readonly PublishRecord[]): void {
    this.records.value = all;
    this.#shownId.value = this.#findRecordToShow(all)?.id ?? null;
    this.recordsLoaded.value = true;
    const ended = this.shown.value;
    if (!ended?.outcome || ended.seen) return;
    if (ended.outcome.state === 'published') {
      this.#saved.removeDraft(ended.environmentId, ended.appId);
      if (this.#isSelected(ended)) this.draft.load();
    }
    this.records.value = all.map((one) => (one.id === ended.id ? { ...one, seen: true } : one));
    void this.#send('publish.seen', { ids: [ended.id] });
  }

  /**
   * The record already shown, or else a new one for the selected app. When the popup opens, any new record qualifies.
   */
  #findRecordToShow(all: readonly PublishRecord[]): PublishRecord | undefined {
    const current = all.find(({ id }) => id === this.#shownId.value);
    if (current) return current;
    const own = all.find((one) => this.#isSelected(one) && isNews(one));
    if (own || this.#wasTouched || this.recordsLoaded.value) return own;
    const news = all.find(
      (one) => isNews(one) && this.selection.environments.value.some(({ id }) => id === one.environmentId),
    );
    if (!news) return undefined;
    if (news.environmentId !== this.selection.environmentId.value) void this.#selectEnvironment(news.environmentId);
    this.#selectApp(news.appId);
    return news;
  }

  async #start(): Promise<void> {
    const preview = this.preview.value;
    const environmentId = this.selection.environmentId.value;
    if (this.disabledReason.value !== null || !preview || environmentId === null) return;
    this.isStarting.value = true;
    this.error.value = null;
    const id = crypto.randomUUID();
    this.#shownId.value = id;
    const answer = await this.#send('publish.start', {
      id,
      environmentId,
      appId: preview.appId,
      appName: preview.name,
      release: { type: this.draft.type.value, changelog: this.draft.changelog.value },
      expected: preview.current,
    });
    this.isStarting.value = false;
    this.isConfirming.value = false;
    if (answer.ok) this.records.value = [answer.value, ...this.records.value.filter((one) => one.id !== id)];
    else this.error.value = answer.error;
    const isListed = await this.#loadRecords();
    // The worker stores the intent before it sends the request. If there’s no intent, nothing was sent.
    if (isListed && this.error.value?.code === 'WORKER_UNREACHABLE')
      this.error.value = this.shown.value?.id === id ? null : NOT_SENT;
  }

  async #changeShown(name: 'publish.settle' | 'publish.discard' | 'publish.cancel'): Promise<void> {
    const id = this.#shownId.value;
    if (id === null || this.isSettling.value) return;
    this.isSettling.value = true;
    const answer = await this.#send(name, { id });
    this.isSettling.value = false;
    this.error.value = answer.ok ? null : answer.error;
    if (answer.ok && name === 'publish.discard') this.#shownId.value = null;
    await this.#loadRecords();
  }
}

const NOT_SENT: ErrorValue = {
  code: 'PUBLISH_NOT_SENT',
  message: 'Couldn’t publish the update: the extension’s background worker stopped. Nothing was sent.',
  hint: 'Try again.',
};

const isNews = ({ outcome, discarded, seen }: PublishRecord): boolean =>
  outcome === null || !seen || (outcome.state === 'unknown' && !discarded);

function scheduleWithTimer(callback: () => void, milliseconds: number): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
