/** Stores what a person has changed of a migration: edited code, and accepted differences. */
import * as v from 'valibot';
import { CodedError } from '../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { RunStore } from '../run/history/run-store.ts';

/** A difference that a person has accepted. It stays a difference. */
const AcceptedDifference = v.object({
  what: v.string(),
  path: v.string(),
  place: v.optional(v.string()),
  reason: v.string(),
});
export type AcceptedDifference = v.InferOutput<typeof AcceptedDifference>;

const Work = v.object({
  version: v.literal(1),
  /** Hash of the pipeline that was migrated. */
  pipeline: v.string(),
  /** Null if the code is as it was generated. */
  code: v.nullable(v.string()),
  accepted: v.array(AcceptedDifference),
});
export type Work = Omit<v.InferOutput<typeof Work>, 'version'>;

const NAME = 'migration';

export const EDIT_UNREADABLE = 'EDIT_UNREADABLE';
const UNREADABLE: ErrorValue = {
  code: EDIT_UNREADABLE,
  message:
    'Couldn’t read your stored edit of the code: it’s damaged, or a newer version stored it. Changes aren’t stored.',
  hint: 'Save the files to keep your changes, or update the extension.',
};

export interface WorkLocation {
  environmentId: string;
  appId: number;
  actionId: number;
}

/** The subject of what is stored of an action’s migration. */
export const migrationSubject = ({ environmentId, appId, actionId }: WorkLocation): string =>
  `migration ${environmentId}/${appId}/${actionId}`;

export class SavedWork {
  readonly #store: Pick<RunStore, 'debugging' | 'putDebugging'>;
  readonly #subject: string;
  #unreadable: CodedError | null = null;

  constructor(store: Pick<RunStore, 'debugging' | 'putDebugging'>, location: WorkLocation) {
    this.#store = store;
    this.#subject = migrationSubject(location);
  }

  /** Null if there is none. @throws CodedError with `EDIT_UNREADABLE`; then, nothing is written over it. */
  async read(): Promise<Work | null> {
    const text = await this.#store.debugging(this.#subject, NAME);
    if (text === undefined) return null;
    try {
      return v.parse(Work, JSON.parse(text), { abortEarly: true });
    } catch (cause) {
      this.#unreadable = new CodedError(UNREADABLE, { cause });
      throw this.#unreadable;
    }
  }

  /** Waits for nothing, since the panel may be closed. The store keeps the order. Rejects if it can’t be stored. */
  async write(work: Work): Promise<void> {
    if (this.#unreadable) throw this.#unreadable;
    return this.#store.putDebugging(this.#subject, NAME, JSON.stringify({ version: 1, ...work }));
  }
}

/** Identifies a pipeline. */
export async function pipelineHash(functions: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(functions));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
