/** Shows the whole context before and after any step of a recorded run. */
import { signal } from '@preact/signals';
import type { Recording } from '../../../../debugging/recording/format.ts';
import type { RemoteValue } from '../../../inspector/contract.ts';
import { lateModule } from '../../shared/late-module.ts';
import type { ShownRun } from '../runs.ts';
import type { TraceStep } from '../trace.ts';
import { recordedIndex } from '../why/recorded-index.ts';
import { LocalValues } from './local-values.ts';

export interface ShownContexts {
  before: RemoteValue;
  after: RemoteValue;
}

/** Maximum number of steps whose contexts are kept. */
const KEPT = 20;
const BUDGET = { nodes: 3_000, chars: 200_000, depth: 6 };

export class TimeTravel {
  /** Incremented when contexts were loaded. */
  readonly version = signal(0);
  readonly values = new LocalValues();
  readonly #recordingOf: (run: ShownRun) => Promise<Recording | null>;
  readonly #contexts = new Map<string, ShownContexts | null>();

  constructor(recordingOf: (run: ShownRun) => Promise<Recording | null>) {
    this.#recordingOf = recordingOf;
  }

  /**
   * The contexts as they were recorded; null until they’re loaded, and if the recording doesn’t have them. Reads
   * `version`.
   * @param step null for the start and the end of the run
   */
  contextsOf(run: ShownRun, step: TraceStep | null): ShownContexts | null {
    void this.version.value;
    if (run.trace.state === 'running' || !(run.local || run.record.recording)) return null;
    const key = `${run.record.id} ${step?.id ?? 'run'}`;
    const known = this.#contexts.get(key);
    if (known === undefined) {
      this.#contexts.set(key, null);
      void this.#load(key, run, step);
    }
    return known ?? null;
  }

  async #load(key: string, run: ShownRun, step: TraceStep | null): Promise<void> {
    const recording = await this.#recordingOf(run);
    const found = recording && (await this.#find(recording, step));
    if (!found) return;
    this.#contexts.delete(key);
    this.#contexts.set(key, { before: this.#describe(found.before), after: this.#describe(found.after) });
    for (const other of this.#contexts.keys()) if (this.#contexts.size > KEPT) this.#contexts.delete(other);
    this.version.value++;
  }

  async #find(recording: Recording, step: TraceStep | null): Promise<{ before: object; after: object } | null> {
    const { steps } = recording;
    // Steps on the top level aren’t inside of others.
    const last = steps.findLastIndex(({ path }) => path.lastIndexOf('/') === 0);
    const [from, to] = step ? [recordedIndex(recording, step), recordedIndex(recording, step)] : [0, last];
    if (from === undefined || to === undefined || steps.length === 0) return null;
    const { contextsAt } = await lateModule(import('../../../../debugging/replay/contexts-at.ts'));
    const contexts = await contextsAt(recording, [from, to]);
    const [first, second] = [contexts.get(from), contexts.get(to)];
    return first && second ? { before: first.before, after: second.after } : null;
  }

  #describe = (context: object): RemoteValue => this.values.describe(context, BUDGET);
}
