/** Stores the journal of an action’s switch-over in the extension’s database, on disk before each request. */
import { type Journal, type JournalStore, parseJournal } from '../../../../migrate/switch-over/index.ts';
import type { RunStore } from '../../run/history/run-store.ts';

/** As in `run-database.ts`, which never drops it. */
const NAME = 'switch-over';

/** @param subject the V2 action, as `Panel.subjectOfAction` names it */
export function journalStore(store: Pick<RunStore, 'debugging' | 'putDebugging'>, subject: string): JournalStore {
  return {
    async read(): Promise<Journal | null> {
      const text = await store.debugging(subject, NAME);
      if (text === undefined || text === 'null') return null;
      const journal = parseJournal(parsed(text));
      // Going on without it could make both versions live.
      if (!journal) throw new Error('the stored journal is damaged, or from a newer version of the extension.');
      return journal;
    },
    write: (journal) => store.putDebugging(subject, NAME, JSON.stringify(journal)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
