/** Owns keeping drafts across closings of the panel, beside saved payloads: one per environment, app and action. */
import type { RunStore } from '../../run/history/run-store.ts';
import { type Fields, isFields } from './pointer.ts';

export interface DraftLocation {
  environmentId: string;
  appId: number;
  /** Null: a new action. */
  actionId: number | null;
}

export interface SavedDraft {
  text: string;
  /** What of the action could be changed when the draft was begun, and its revision then. */
  base: Fields;
  revision: number | null;
  /** Epoch milliseconds. */
  savedAt: number;
}

export interface KeptDrafts {
  read(): Promise<SavedDraft | null>;
  /** One after the other, the newest alone when several wait. Null forgets it. */
  write(draft: Omit<SavedDraft, 'savedAt'> | null): Promise<void>;
}

export function createKeptDrafts(
  store: Pick<RunStore, 'payloads' | 'savePayload' | 'removePayload'>,
  { environmentId, appId, actionId }: DraftLocation,
): KeptDrafts {
  const subject = `draft ${environmentId}/${appId}`;
  const name = actionId === null ? 'new' : String(actionId);
  let turn: Promise<void> = Promise.resolve();
  let newest = 0;
  return {
    async read() {
      const kept = (await store.payloads(subject)).find((one) => one.name === name);
      return kept ? parsed(kept.text, kept.savedAt) : null;
    },
    write(draft) {
      const mine = ++newest;
      const next = turn.then(async () => {
        if (mine !== newest) return;
        if (draft) await store.savePayload({ subject, name, text: JSON.stringify(draft), savedAt: Date.now() });
        else await store.removePayload(subject, name);
      });
      turn = next.catch(() => {});
      return next;
    },
  };
}

function parsed(text: string, savedAt: number): SavedDraft | null {
  try {
    const kept: unknown = JSON.parse(text);
    if (!isFields(kept) || typeof kept['text'] !== 'string' || !isFields(kept['base'])) return null;
    const { text: draft, base, revision } = kept;
    return { text: draft, base, revision: typeof revision === 'number' ? revision : null, savedAt };
  } catch {
    return null;
  }
}
