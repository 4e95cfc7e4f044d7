/** Notices that the action has changed since its debug page was loaded. */
import { computed, effect, signal, untracked } from '@preact/signals';
import type { Action } from '../../../../platform-api/action.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import { NO_PAGE } from '../../actions/backend/no-page.ts';
import type { BackendOf } from '../../actions/backend/types.ts';
import { differences, type Difference } from '../../actions/edit/differences.ts';
import type { Runs } from '../../run/runs.ts';
import type { Catalog } from '../catalog.ts';
import { debugTargetOf } from '../debug-target.ts';
import type { PageStore } from './page.ts';

interface Target {
  environmentId: string;
  appId: number;
  taskId: number;
}

export interface PageVersionOptions {
  backendOf: BackendOf;
  catalog: Catalog;
  page: PageStore;
  runs: Pick<Runs, 'live'>;
}

export class PageVersion {
  readonly #options: PageVersionOptions;
  /** The action as the platform had it after the document with this ID was loaded. */
  readonly #latest = signal<{ documentId: string; action: Action; isSavedHere: boolean } | null>(null);
  readonly #failure = signal<{ documentId: string; error: ErrorValue } | null>(null);
  /** Why it’s unknown whether the action has changed; null if it’s known, or can’t be. */
  readonly unknown = computed((): ErrorValue | null => {
    const failure = this.#failure.value;
    return failure && failure.documentId === this.#options.page.loaded.value?.documentId ? failure.error : null;
  });
  /** From the page's pipeline to the action's; empty if they're the same, or if the action can't be read. */
  readonly changes = computed((): Difference[] => {
    const loaded = this.#options.page.loaded.value;
    const latest = this.#latest.value;
    if (!loaded || latest?.documentId !== loaded.documentId) return [];
    return differences(loaded.pipeline, latest.action.functions);
  });
  /** The action that the page has after a reload; null if the page isn't older. */
  readonly reloaded = computed(() => (this.changes.value.length > 0 ? (this.#latest.value?.action ?? null) : null));
  /** Whether the change was saved in this panel. */
  readonly isSavedHere = computed(() => this.changes.value.length > 0 && this.#latest.value?.isSavedHere === true);
  #checks = 0;
  #isChecking = false;
  readonly dispose: () => void;

  constructor(options: PageVersionOptions) {
    this.#options = options;
    const { catalog, page, runs } = options;
    const hasEnvironments = computed(() => catalog.environments.value.value !== null);
    const stopOpened = effect(() => {
      if (page.loaded.value && hasEnvironments.value) untracked(() => void this.check());
    });
    let wasLive = false;
    const stopEnded = effect(() => {
      const isLive = runs.live.value !== null;
      if (wasLive && !isLive) untracked(() => void this.check());
      wasLive = isLive;
    });
    this.dispose = () => {
      stopOpened();
      stopEnded();
    };
  }

  /** Reads the action of the page again. */
  readonly check = async (): Promise<void> => {
    const documentId = this.#options.page.loaded.peek()?.documentId;
    const target = this.#target();
    if (documentId === undefined || !target || this.#isChecking) return;
    this.#isChecking = true;
    const check = ++this.#checks;
    try {
      const read = await this.#read(target);
      // A save that came in between is newer.
      if (check !== this.#checks) return;
      this.#failure.value = read.ok || read.error.code === NO_PAGE ? null : { documentId, error: read.error };
      if (read.ok && read.value) this.#show(documentId, read.value, false);
    } finally {
      this.#isChecking = false;
    }
  };

  /** Tells that this panel saved an action of the selected app. */
  noteSaved(action: Action): void {
    const { catalog, page } = this.#options;
    const documentId = page.loaded.peek()?.documentId;
    const target = this.#target();
    const isInPage =
      target?.environmentId === catalog.environment.peek()?.id &&
      target?.appId === action.appId &&
      target.taskId === action.id;
    if (documentId === undefined || !isInPage) return;
    this.#checks++;
    this.#failure.value = null;
    this.#show(documentId, action, true);
  }

  #show(documentId: string, action: Action, isSavedHere: boolean): void {
    const before = this.#latest.peek();
    const wasSavedHere = before?.documentId === documentId && before.isSavedHere;
    this.#latest.value = { documentId, action, isSavedHere: isSavedHere || wasSavedHere };
  }

  /** The page's action. Of several environments with the same base URL, prefers the selected one. */
  #target(): Target | null {
    const { catalog, page } = this.#options;
    const selected = catalog.environment.peek();
    const environments = [...(selected ? [selected] : []), ...(catalog.environments.peek().value ?? [])];
    const target = debugTargetOf(page.state.peek()?.url ?? '', environments);
    return target && 'taskId' in target ? target : null;
  }

  #read({ environmentId, appId, taskId }: Target): Promise<Result<Action | null>> {
    const { backendOf, catalog } = this.#options;
    const known = catalog.appId.peek() === appId ? catalog.actions.peek().value : null;
    return backendOf({ environmentId, appId }).find(taskId, known);
  }
}
