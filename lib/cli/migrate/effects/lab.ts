/** Really runs both versions of actions, each on a local platform of its own, and compares what they do. */
import { type ProfileName, PROFILE_NAMES } from '../../../platform-api/actions-v3/profiles.ts';
import { userPackagesOf } from '../inputs/packages.ts';
import type { Job, Written } from '../types.ts';
import { ActionRun, UnknownEffects } from './action-run.ts';
import { Clone } from './clone.ts';
import { effectDifferences, ofKind, unknownEnd } from './differences.ts';
import type { EffectsInput, EffectsReport, EffectsRun } from './types.ts';

export interface LabOptions {
  /** Default: all. */
  profiles?: readonly ProfileName[];
  /** For each run, in milliseconds. */
  timeLimit?: number;
  /** Aborting it ends `prove` before its next run. */
  signal?: AbortSignal | undefined;
}

const TIME_LIMIT = 10_000;
const DEFAULT_APP = 101;

/** The same moment on both, and all day: the demo data is relative to the day. */
const noonToday = (): Date => new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);

/** Two platforms with the same data. */
interface Pair {
  v2: Clone;
  v3: Clone;
}

export class EffectsLab {
  readonly #pairs = new Map<ProfileName, Pair>();
  readonly #profiles: readonly ProfileName[];
  readonly #timeLimit: number;
  readonly #signal: AbortSignal | undefined;

  constructor({ profiles = PROFILE_NAMES, timeLimit = TIME_LIMIT, signal }: LabOptions = {}) {
    this.#signal = signal;
    this.#profiles = profiles;
    this.#timeLimit = timeLimit;
  }

  /**
   * A report for each profile of V3.
   * @param inputs of the runs, in order: each run sees what the ones before it have done
   */
  async prove(
    job: Job,
    written: Written,
    inputs: readonly EffectsInput[],
    appId = DEFAULT_APP,
  ): Promise<EffectsReport[]> {
    if (!isWhole(written))
      return this.#profiles.map((profile) => ({ profile, state: 'unknown', reason: INCOMPLETE, runs: [] }));
    const reports: EffectsReport[] = [];
    for (const profile of this.#profiles) {
      const report = await this.#inProfile(profile, { job, written, inputs, appId });
      reports.push(report);
      // From here on, the data of both platforms may be different.
      if (report.state !== 'equal') await this.#discard(profile);
    }
    return reports;
  }

  async close(): Promise<void> {
    for (const profile of this.#profiles) await this.#discard(profile);
  }

  async #inProfile(profile: ProfileName, { job, written, inputs, appId }: Task): Promise<EffectsReport> {
    const runs: EffectsRun[] = [];
    try {
      const pair = await this.#pair(profile);
      requireApp(pair.v2, appId);
      const sources = sourcesOf(job);
      const requests = job.recordings.flatMap((recording) => recording.requests ?? []);
      for (const clone of [pair.v2, pair.v3]) {
        clone.sources = sources;
        clone.answerLike(requests);
      }
      // One after the other: a refusal must not leave the other request open.
      const v2 = await ActionRun.v2(pair.v2, appId, job.action);
      const both = [v2, await ActionRun.v3(pair.v3, appId, written, profile)] as const;
      for (const input of inputs) {
        this.#signal?.throwIfAborted();
        const run = await runBoth(both, input);
        runs.push(run);
        if (run.differences.length > 0) return { profile, state: 'differs', runs };
      }
      await Promise.all(both.map((each) => each.remove()));
      const reason = runs.find(({ unknown }) => unknown !== undefined)?.unknown;
      return reason === undefined ? { profile, state: 'equal', runs } : { profile, state: 'unknown', reason, runs };
    } catch (error) {
      if (!(error instanceof UnknownEffects)) throw error;
      return { profile, state: 'unknown', reason: error.message, runs };
    }
  }

  async #pair(profile: ProfileName): Promise<Pair> {
    const known = this.#pairs.get(profile);
    if (known) return known;
    const pair: Pair = { v2: new Clone(), v3: new Clone() };
    this.#pairs.set(profile, pair);
    const options = { profile, clock: noonToday(), timeLimit: this.#timeLimit };
    await Promise.all([pair.v2.start(options), pair.v3.start(options)]);
    await Promise.all([pair.v2, pair.v3].map(removeActions));
    return pair;
  }

  async #discard(profile: ProfileName): Promise<void> {
    const pair = this.#pairs.get(profile);
    if (!pair) return;
    this.#pairs.delete(profile);
    await Promise.all([pair.v2.close(), pair.v3.close()]);
  }
}

interface Task {
  job: Job;
  written: Written;
  inputs: readonly EffectsInput[];
  appId: number;
}

const INCOMPLETE = 'The code isn’t complete, so that it wasn’t run.';

/** Other code throws on purpose. */
const isWhole = ({ report: { level } }: Written): boolean => level !== 'needs-person' && level !== 'blocked';

function requireApp({ apps }: Clone, appId: number): void {
  if (apps.some(({ id }) => id === appId)) return;
  throw new UnknownEffects(`Nothing was run, because the local platform has no data of app ${appId}.`);
}

/** Other actions could run, too, and names and schedules belong to one action. */
async function removeActions(clone: Clone): Promise<void> {
  for (const app of clone.apps)
    for (const { id } of app.actions) await clone.ask('DELETE', `/v1/apps/${app.id}/actions/${id}?by=id`);
}

/** Of the packages that the action calls: another action’s must not run with it. */
function sourcesOf({ action, sources }: Job): Map<string, string> {
  const used = new Set(userPackagesOf(action.functions));
  return new Map([...sources].filter(([name]) => used.has(name)));
}

async function runBoth([v2, v3]: readonly [ActionRun, ActionRun], input: EffectsInput): Promise<EffectsRun> {
  const { payload } = input;
  const [one, other] = await Promise.all([v2.run(payload), v3.run(payload)]);
  const unknown = unknownEnd(one, other);
  return {
    ...input,
    messages: ofKind('message', one).length,
    entries: ofKind('entry', one).length,
    requests: ofKind('request', one).length,
    differences: effectDifferences(one, other),
    ...(unknown !== null && { unknown }),
  };
}
