/**
 * Stores drafts next to saved payloads, so that they survive closing the panel. One draft per environment, app, and
 * action.
 */
import { SerialQueue } from '../../../../shared/serial-queue.ts';
import type { RunStore } from '../../run/history/run-store.ts';
import { type Fields, isFields } from './draft-value.ts';

export interface DraftLocation {
  environmentId: string;
  appId: number;
  /** Null for a new action. */
  actionId: number | null;
  /** For a new action: the action that it's a copy of. */
  copyOf?: number | undefined;
}

/** Stored as JSON; don't rename its fields. */
export interface SavedDraft {
  text: string;
  /** The action's editable fields and revision when the draft was started. */
  base: Fields;
  revision: number | null;
  /** Epoch milliseconds. */
  savedAt: number;
}

export class SavedDrafts {
  readonly #store: Pick<RunStore, 'payloads' | 'savePayload' | 'removePayload'>;
  readonly #subject: string;
  readonly #name: string;
  readonly #queue = new SerialQueue();
  #writes = 0;

  constructor(
    store: Pick<RunStore, 'payloads' | 'savePayload' | 'removePayload'>,
    { environmentId, appId, actionId, copyOf }: DraftLocation,
  ) {
    this.#store = store;
    this.#subject = `draft ${environmentId}/${appId}`;
    this.#name = actionId === null ? (copyOf === undefined ? 'new' : `copy of ${copyOf}`) : String(actionId);
  }

  async read(): Promise<SavedDraft | null> {
    const saved = (await this.#store.payloads(this.#subject)).find((one) => one.name === this.#name);
    return saved ? parseDraft(saved.text, saved.savedAt) : null;
  }

  /** Writes one draft at a time, and skips all pending ones but the latest. Null removes the draft. */
  write(draft: Omit<SavedDraft, 'savedAt'> | null): Promise<void> {
    const write = ++this.#writes;
    return this.#queue.run(async () => {
      if (write !== this.#writes) return;
      const [subject, name] = [this.#subject, this.#name];
      if (draft) await this.#store.savePayload({ subject, name, text: JSON.stringify(draft), savedAt: Date.now() });
      else await this.#store.removePayload(subject, name);
    });
  }
}

function parseDraft(text: string, savedAt: number): SavedDraft | null {
  try {
    const saved: unknown = JSON.parse(text);
    if (!isFields(saved) || typeof saved['text'] !== 'string' || !isFields(saved['base'])) return null;
    const { text: draft, base, revision } = saved;
    return { text: draft, base, revision: typeof revision === 'number' ? revision : null, savedAt };
  } catch {
    return null;
  }
}
