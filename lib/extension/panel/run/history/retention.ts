/** Decides, and says, which past runs lose their steps, and which are removed, to stay within the limits. */
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { plural } from '../../../../shared/format.ts';
import type { HISTORY_LIMITS } from '../../../messaging/model/stored-data.ts';
import type { RunRecord } from './run-record.ts';

export type HistoryLimits = typeof HISTORY_LIMITS;

/** `thinned`: the steps were removed, and the rest of the run stays. */
export interface Retained {
  record: RunRecord;
  how: 'thinned' | 'removed';
  /** The limit that was exceeded. `pinned`: pinned runs leave no space for the run that was just stored. */
  why: 'runsOfAction' | 'sizeOfAction' | 'runs' | 'size' | 'pinned';
}

/** Estimated size of a run without its steps, in bytes. */
const THINNED_SIZE = 2_000;

/** Bytes of a run's events and recording. */
const sizeOfSteps = ({ size, recording }: RunRecord): number => size + (recording?.size ?? 0);

export const sizeOf = (record: RunRecord): number => sizeOfSteps(record) + record.payload.length;

/**
 * Large runs lose their steps before small runs are removed, oldest first. Pinned runs, an action's newest runs, and
 * the run being stored stay. If that isn't enough, small runs and finally the run being stored lose their steps, too.
 */
export function planRetention(
  records: readonly RunRecord[],
  limits: HistoryLimits,
  current: string | null,
): Retained[] {
  const plan = new Plan(records, limits, current);
  for (const ofAction of Map.groupBy(records, ({ subject }) => subject).values()) {
    const unpinned = ofAction.filter(({ pinned }) => !pinned);
    plan.limitCount(unpinned, limits.runsOfAction, 'runsOfAction');
    plan.limitSize(unpinned, limits.sizeOfAction, 'sizeOfAction');
  }
  plan.limitCount(records, limits.runs, 'runs');
  plan.limitSize(records, limits.size, 'size');
  const left = plan.sizeOf(records) > limits.size ? records.find(({ id }) => id === current) : undefined;
  if (left && canThin(left) && sizeOfSteps(left) > THINNED_SIZE) plan.add(left, 'thinned', 'pinned');
  return [...plan.changes.values()];
}

/** A run in progress is still being stored. */
const canThin = ({ pinned, thinned, state }: RunRecord): boolean => !pinned && !thinned && state !== 'running';

class Plan {
  /** By run ID. */
  readonly changes = new Map<string, Retained>();
  readonly #limits: HistoryLimits;
  readonly #current: string | null;
  /** IDs of each action's newest runs. */
  readonly #newest: ReadonlySet<string>;

  constructor(records: readonly RunRecord[], limits: HistoryLimits, current: string | null) {
    this.#limits = limits;
    this.#current = current;
    this.#newest = new Set(
      [...Map.groupBy(records, ({ subject }) => subject).values()].flatMap((ofAction) =>
        oldestFirst(ofAction)
          .slice(-limits.keptOfAction)
          .map(({ id }) => id),
      ),
    );
  }

  add(record: RunRecord, how: Retained['how'], why: Retained['why']): void {
    this.changes.set(record.id, { record, how, why });
  }

  #stays({ id }: RunRecord): boolean {
    return this.changes.get(id)?.how !== 'removed';
  }

  #sizeOf(record: RunRecord): number {
    const how = this.changes.get(record.id)?.how;
    if (how === 'removed') return 0;
    return how === 'thinned' ? Math.min(sizeOfSteps(record), THINNED_SIZE) + record.payload.length : sizeOf(record);
  }

  sizeOf(records: readonly RunRecord[]): number {
    return records.reduce((sum, record) => sum + this.#sizeOf(record), 0);
  }

  /** Runs that may be removed: ended ones first. A run that never ended has no panel that would end it. */
  #removable(records: readonly RunRecord[]): RunRecord[] {
    const removable = oldestFirst(records).filter(
      (record) => this.#stays(record) && !record.pinned && !this.#newest.has(record.id) && record.id !== this.#current,
    );
    return [
      ...removable.filter(({ state }) => state !== 'running'),
      ...removable.filter(({ state }) => state === 'running'),
    ];
  }

  limitCount(records: readonly RunRecord[], limit: number, why: Retained['why']): void {
    const excess = records.filter((record) => this.#stays(record)).length - limit;
    if (excess > 0) for (const record of this.#removable(records).slice(0, excess)) this.add(record, 'removed', why);
  }

  limitSize(records: readonly RunRecord[], limit: number, why: Retained['why']): void {
    let size = this.sizeOf(records);
    const apply = (candidates: readonly RunRecord[], how: Retained['how']): void => {
      for (const record of candidates) {
        if (size <= limit) return;
        size -= this.#sizeOf(record);
        this.add(record, how, why);
        size += this.#sizeOf(record);
      }
    };
    if (size <= limit) return;
    const thinnable = (least: number): RunRecord[] =>
      oldestFirst(records).filter(
        (record) =>
          sizeOfSteps(record) > least && canThin(record) && !this.changes.has(record.id) && record.id !== this.#current,
      );
    apply(thinnable(this.#limits.largeRun), 'thinned');
    apply(this.#removable(records), 'removed');
    apply(thinnable(THINNED_SIZE), 'thinned');
  }
}

const oldestFirst = (records: readonly RunRecord[]): RunRecord[] =>
  records.toSorted((a, b) => a.startedAt - b.startedAt);

/** @param failure what couldn’t be done, such as `Couldn’t pin the run` */
export const pinnedFull = (failure: string, { size }: Pick<HistoryLimits, 'size'>): ErrorValue => ({
  code: 'RUNS_PINNED',
  message: `${failure}: pinned runs are limited to ${megabytes(size)} and use all of it.`,
  hint: 'Unpin or remove some runs under “All runs”.',
});

/** Says what was thinned or removed, of which action, and why: one sentence per action and reason. */
export function describeRetention(changes: readonly Retained[], limits: HistoryLimits): string[] {
  const groups = Map.groupBy(changes, ({ record, how, why }) => [record.title, how, why].join('\n'));
  return [...groups.values()].map((group) => {
    const { record, how, why } = group[0] as Retained;
    const runs = plural(group.length, 'run');
    const what = how === 'removed' ? `Removed ${runs}` : `Removed the steps of ${runs}`;
    return `${what} of “${record.title}”: ${reasonText(why, limits)}.`;
  });
}

function reasonText(why: Retained['why'], limits: HistoryLimits): string {
  switch (why) {
    case 'runsOfAction':
      return `an action’s runs are limited to ${limits.runsOfAction}`;
    case 'sizeOfAction':
      return `an action’s runs are limited to ${megabytes(limits.sizeOfAction)}`;
    case 'runs':
      return `all runs are limited to ${limits.runs}`;
    case 'size':
      return `all runs are limited to ${megabytes(limits.size)}`;
    case 'pinned':
      return 'pinned runs use all of the space';
  }
}

const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`;
