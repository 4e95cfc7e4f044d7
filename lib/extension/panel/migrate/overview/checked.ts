/** What the last check of an action’s migration has found, and where it’s stored. */
import * as v from 'valibot';
import { type Proof, STATUSES } from '../../../../migrate/index.ts';
import type { Action } from '../../../../platform-api/action.ts';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { formatCount } from '../../../../shared/format.ts';
import type { RunStore } from '../../run/history/run-store.ts';
import type { Migrating } from '../migrating.ts';
import type { Proved } from '../proving.ts';
import { EDIT_UNREADABLE, migrationSubject, pipelineHash, SavedWork, type WorkLocation } from '../saved-work.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

const Checked = v.object({
  version: v.literal(1),
  /** Hash of the pipeline. */
  pipeline: v.string(),
  /** Hash of the code that a person has edited; null if it’s as it was generated. */
  edited: v.nullable(v.string()),
  /** When it ended, in epoch milliseconds. */
  at: v.number(),
  /** `unreadable`: our engine refuses the pipeline. `failed`: the code couldn’t be proved. Both have an `error`. */
  status: v.picklist([...STATUSES, 'unproved', 'unreadable', 'failed']),
  error: v.nullable(v.object({ code: v.string(), message: v.string(), hint: v.optional(v.string()) })),
  /** Why nothing was compared, or which package’s source isn’t known. */
  reason: v.nullable(v.string()),
  /** `text` names the branches that never ran. */
  coverage: v.nullable(v.object({ ran: Count, total: Count, text: v.string() })),
  /** How many recorded runs were compared, how many were left out, and how many runs were generated. */
  runs: v.object({ recorded: Count, aside: Count, generated: Count }),
  /** How many of the tried mistakes the runs would find. */
  strength: v.nullable(v.object({ caught: Count, total: Count })),
});
export type Checked = Omit<v.InferOutput<typeof Checked>, 'version'>;

/** What a migration that was started has found. */
export async function checkedOf(migrating: Migrating): Promise<Checked> {
  const { action, migration, proving, edit } = migrating;
  const unreadable = migration.peek().error;
  const proved = proving.proved.peek();
  // Without its strength, a proof is still one.
  const error = unreadable ?? (proved ? null : (proving.error.peek() ?? unlistedRuns(migrating)));
  const strength = proving.strength.peek();
  return {
    pipeline: await pipelineHash(action.functions),
    edited: edit.isEdited.peek() ? await pipelineHash(edit.code.peek()) : null,
    at: Date.now(),
    status: unreadable ? 'unreadable' : error ? 'failed' : migrating.status.peek(),
    error: error && storable(error),
    reason: unknownSource(migrating) ?? (proved ? null : whyNothing(migrating)),
    coverage: proved && coverageOf(proved.proof),
    runs: { ...comparedRuns(proved), aside: migrating.aside.peek().length },
    strength: strength && { caught: strength.caught, total: strength.total },
  };
}

/** Without any run, it isn’t known whether there are none. */
function unlistedRuns({ gathered }: Migrating): ErrorValue | null {
  const { runs, runsError = null } = gathered.peek() ?? {};
  return runs?.length === 0 && runsError !== null ? { code: 'RUNS_UNKNOWN', message: runsError } : null;
}

const storable = ({ code, message, hint }: ErrorValue): Checked['error'] => ({
  code,
  message,
  ...(hint !== undefined && { hint }),
});

const comparedRuns = (proved: Proved | null): Omit<Checked['runs'], 'aside'> => ({
  recorded: proved ? proved.proof.comparisons.length - proved.proof.aside.length : 0,
  generated: proved?.task.generated?.length ?? 0,
});

function unknownSource({ gathered }: Migrating): string | null {
  const [unknown] = gathered.peek()?.unknownPackages ?? [];
  return unknown ? `The source of ${unknown.name} isn’t known: ${unknown.reason}` : null;
}

/** Why nothing was compared. */
function whyNothing({ gathered, aside, cannotProve }: Migrating): string | null {
  if (gathered.peek()?.runs.length !== 0) return cannotProve.peek();
  const count = aside.peek().length;
  return count === 0 ? 'No recorded runs' : `No run to compare: ${formatCount(count)} left out`;
}

function coverageOf({ branches, coverage }: Proof): Checked['coverage'] {
  const ran = branches.filter(({ runs, generated = 0 }) => runs + generated > 0).length;
  return { ran, total: branches.length, text: coverage };
}

const NAME = 'migration-check';

type Store = Pick<RunStore, 'debugging' | 'putDebugging'>;

/** The checks of an environment’s actions. */
export class SavedChecks {
  readonly #store: Store;
  readonly #environmentId: string;

  constructor(store: Store, environmentId: string) {
    this.#store = store;
    this.#environmentId = environmentId;
  }

  /** Null if there is none, or if it can’t be read. Rejects if the store can’t be read. */
  async read(action: Action): Promise<Checked | null> {
    const text = await this.#store.debugging(migrationSubject(this.#locationOf(action)), NAME);
    try {
      const parsed = v.safeParse(Checked, JSON.parse(text ?? 'null'), { abortEarly: true });
      return parsed.success ? parsed.output : null;
    } catch {
      return null;
    }
  }

  /** Waits for nothing, since the panel may be closed. Rejects if it can’t be stored. */
  write(action: Action, checked: Checked): Promise<void> {
    return this.#store.putDebugging(
      migrationSubject(this.#locationOf(action)),
      NAME,
      JSON.stringify({ version: 1, ...checked }),
    );
  }

  /** Whether the check is of the action and of its code as they are now. */
  async isCurrent(action: Action, { pipeline, edited }: Checked): Promise<boolean> {
    if (pipeline !== (await pipelineHash(action.functions))) return false;
    const work = new SavedWork(this.#store, this.#locationOf(action));
    let code: string | null;
    try {
      code = (await work.read())?.code ?? null;
    } catch (thrown) {
      if (toErrorValue(thrown).code === EDIT_UNREADABLE) return false;
      throw thrown;
    }
    return edited === (code === null ? null : await pipelineHash(code));
  }

  #locationOf({ appId, id }: Action): WorkLocation {
    return { environmentId: this.#environmentId, appId, actionId: id };
  }
}
