/** An action's stored revisions, and what restoring one of them would change. */
import { computed, signal } from '@preact/signals';
import type { Action } from '../../../platform-api/action.ts';
import type { ActionRevision, FullRevision } from '../../../platform-api/actions/revision.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { IDLE, loaded, type Loadable } from '../shared/loadable.ts';
import type { ActionsBackend } from './backend/types.ts';
import { type Difference, differences } from './edit/differences.ts';
import { editableFields } from './edit/draft-action.ts';

type HistoryBackend = Pick<ActionsBackend, 'history' | 'revision'>;

/** A revision, compared with the working copy. */
export interface Comparison {
  revision: number;
  /** What restoring would change. */
  differences: Difference[];
}

export class Revisions {
  readonly list = signal<Loadable<ActionRevision[]>>(IDLE);
  readonly selected = signal<number | null>(null);
  readonly error = signal<ErrorValue | null>(null);
  readonly #action = signal<Action | null>(null);
  readonly #content = signal<FullRevision | null>(null);
  readonly #backend: () => HistoryBackend | null;
  /** Identifies the latest request of each kind. Other responses are outdated. */
  #listing = 0;
  #reading = 0;

  /** Null until the selected revision is loaded. */
  readonly comparison = computed((): Comparison | null => {
    const [action, content] = [this.#action.value, this.#content.value];
    return action && content && content.revision === this.selected.value
      ? {
          revision: content.revision,
          differences: differences(editableFields(action), editableFields(content.action)),
        }
      : null;
  });

  constructor(backend: () => HistoryBackend | null) {
    this.#backend = backend;
  }

  /** Loads the list of an action's revisions, again if the action has changed. */
  async show(action: Action): Promise<void> {
    const shown = this.#action.peek();
    this.#action.value = action;
    if (shown?.id === action.id && shown.revision === action.revision && this.list.peek().state !== 'failed') return;
    if (shown?.id !== action.id) this.#reset();
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const [backend, action] = [this.#backend(), this.#action.peek()];
    if (!backend || !action) return;
    const listing = ++this.#listing;
    const { value } = this.list.peek();
    this.list.value = { state: 'loading', value, error: null };
    const response = await backend.history(action.id);
    if (listing === this.#listing) this.list.value = loaded(response, value);
  }

  /** Compares a revision with the working copy, or closes the comparison. */
  async select(revision: number | null): Promise<void> {
    const [backend, action] = [this.#backend(), this.#action.peek()];
    const reading = ++this.#reading;
    this.selected.value = revision;
    this.error.value = null;
    if (!backend || !action || revision === null) return;
    const response = await backend.revision(action.id, revision);
    if (reading !== this.#reading) return;
    if (response.ok) this.#content.value = response.value;
    else this.error.value = response.error;
  }

  #reset(): void {
    this.#listing++;
    this.#reading++;
    this.list.value = IDLE;
    this.selected.value = null;
    this.#content.value = null;
    this.error.value = null;
  }
}

/** Who made a revision, and what changed in it, as far as the platform knows. */
export function revisionSummary({ change, changed, restored, by }: ActionRevision): { what: string; who: string } {
  const fields = changed?.length === 0 ? 'nothing' : (changed?.join(', ') ?? '');
  const what = {
    create: 'created',
    update: `changed ${fields}`,
    restore: `restored from revision ${restored ?? 'unknown'}`,
  };
  const via =
    by?.kind === 'run' ? 'a run' : by?.kind === 'page' ? `a page of ${by.email ?? 'an unknown user'}` : by?.email;
  return { what: change ? what[change] : 'unknown change', who: via ?? 'unknown author' };
}
