/** Proves the code of one action on its recorded runs, and measures how much the runs prove. */
import { batch, signal } from '@preact/signals';
import { generateRuns, type Proof, type Strength } from '../../../migrate/index.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import { createPauses } from '../shared/pauses.ts';
import type { GatheredRun } from './gather.ts';
import type { ProofTask, Prover, ProverOptions } from './prover.ts';

export interface Proved {
  /** What was proved. */
  task: ProofTask;
  /** One for each recording of the task. */
  runs: readonly GatheredRun[];
  proof: Proof;
}

export interface ProofProgress {
  /** `runs`: comparing the code with recorded runs. `strength`: comparing wrong versions of it. */
  what: 'runs' | 'strength';
  done: number;
  total: number;
}

export class Proving {
  /** Null while nothing runs. */
  readonly progress = signal<ProofProgress | null>(null);
  readonly proved = signal<Proved | null>(null);
  readonly strength = signal<Strength | null>(null);
  readonly error = signal<ErrorValue | null>(null);
  readonly #prover: Prover;
  #abort: AbortController | null = null;

  constructor(prover: Prover) {
    this.#prover = prover;
  }

  /**
   * Replaces the last proof, also one that is running.
   * @returns whether it has ended, and wasn’t canceled
   */
  async prove(given: Omit<ProofTask, 'generated'>, runs: readonly GatheredRun[]): Promise<boolean> {
    this.cancel();
    const abort = (this.#abort = new AbortController());
    batch(() => {
      this.error.value = null;
      this.proved.value = null;
      this.strength.value = null;
      this.progress.value = { what: 'runs', done: 0, total: 0 };
    });
    const pauses = createPauses();
    const { functions, recordings } = given;
    const generated = await generateRuns(functions, { recordings, pause: () => pauses.pauseIfDue() });
    if (this.#abort !== abort) return false;
    const task = { ...given, generated };
    const proof = await this.#run('runs', abort, (options) => this.#prover.prove(task, options));
    if (!proof) return this.#abort === abort;
    this.proved.value = { task, runs, proof };
    // Wrong versions of wrong code say nothing.
    if (task.recordings.length === 0 || proof.status === 'differs') return true;
    const strength = await this.#run('strength', abort, (options) => this.#prover.strength(task, options));
    if (strength) this.strength.value = strength;
    return this.#abort === abort;
  }

  /** Null if it failed or was canceled. */
  async #run<T>(
    what: ProofProgress['what'],
    abort: AbortController,
    work: (options: ProverOptions) => Promise<Result<T>>,
  ): Promise<T | null> {
    this.progress.value = { what, done: 0, total: 0 };
    const onProgress = (done: number, total: number): void => {
      if (this.#abort === abort) this.progress.value = { what, done, total };
    };
    const response = await work({ onProgress, signal: abort.signal });
    if (this.#abort !== abort) return null;
    this.progress.value = null;
    if (!response.ok) this.error.value = response.error;
    return response.ok ? response.value : null;
  }

  readonly cancel = (): void => {
    this.#abort?.abort();
    this.#abort = null;
    this.progress.value = null;
  };

  readonly dismiss = (): void => {
    this.error.value = null;
  };

  /** The V3 run beside one of the recorded runs. */
  record(index: number): Promise<Result<GatheredRun['recording']>> {
    const { task } = this.proved.peek() as Proved;
    return this.#prover.record(task, index);
  }
}
