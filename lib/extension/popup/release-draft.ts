/** The release being written: its type and notes, saved per app. */
import { batch, signal, type Signal } from '@preact/signals';
import type { ReleaseType } from '../../platform-api/app.ts';
import type { ErrorValue } from '../../platform-api/errors.ts';
import type { AppSelection } from './app-selection.ts';
import type { SavedState } from './saved-state.ts';

const NOT_SAVED: ErrorValue = {
  code: 'DRAFT_NOT_KEPT',
  message:
    'Couldn’t save your release notes: the browser didn’t store them. Your notes will be lost when the popup closes.',
  hint: 'Free up some disk space, or publish before you close the popup.',
};

export class ReleaseDraft {
  readonly type = signal<ReleaseType>('silent');
  readonly changelog = signal('');
  readonly #selection: AppSelection;
  readonly #saved: SavedState;
  readonly #error: Signal<ErrorValue | null>;

  constructor(selection: AppSelection, saved: SavedState, error: Signal<ErrorValue | null>) {
    this.#selection = selection;
    this.#saved = saved;
    this.#error = error;
    this.load();
  }

  /** Loads the selected app's draft. */
  load(): void {
    const environmentId = this.#selection.environmentId.value;
    const appId = this.#selection.appId.value;
    const draft = environmentId === null || appId === null ? null : this.#saved.draft(environmentId, appId);
    batch(() => {
      this.type.value = draft?.type ?? 'silent';
      this.changelog.value = draft?.changelog ?? '';
    });
  }

  async save(): Promise<void> {
    const { environmentId, appId } = this.#selection;
    if (environmentId.value === null || appId.value === null) return;
    const draft = { type: this.type.value, changelog: this.changelog.value };
    const isSaved = await this.#saved.saveDraft(environmentId.value, appId.value, draft);
    // A later draft reports its own outcome.
    if (draft.changelog !== this.changelog.value || draft.type !== this.type.value) return;
    if (!isSaved) this.#error.value = NOT_SAVED;
    else if (this.#error.value === NOT_SAVED) this.#error.value = null;
  }
}
