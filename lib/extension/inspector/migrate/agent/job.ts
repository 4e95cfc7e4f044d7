/** Runs code beside recordings, one run after the other. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import type { Comparison, LoadCode } from '../../../../migrate/index.ts';
import { RunComparison } from '../../../../migrate/proof/comparison.ts';
import { NOT_ENDING } from '../../../../migrate/proof/ends.ts';
import { recordingOf } from '../../../../migrate/proof/recording-of.ts';
import { type EmbeddedCode, PIECE, type ProofJob } from '../protocol.ts';
import { sendable } from './results.ts';
import { Slices } from './slices.ts';

type At = (path: string, ...rest: unknown[]) => Promise<void>;

const nothing = (): undefined => undefined;
const silentConsole = Object.fromEntries(
  'assert clear count debug dir error group groupCollapsed groupEnd info log table time timeEnd trace warn'
    .split(' ')
    .map((name) => [name, nothing]),
);

export class Job {
  readonly #job: ProofJob;
  readonly #codes: ReadonlyMap<string, EmbeddedCode>;
  readonly #recordings: readonly Recording[];
  readonly #dataSources: ReadonlyMap<string, number>;
  readonly #slices = new Slices();
  readonly #results: unknown[] = [];
  #failure: string | null = null;
  #isCanceled = false;
  #path = '';
  #steps = 0;
  #giveUp: () => void = nothing;

  constructor(job: ProofJob, codes: ReadonlyMap<string, EmbeddedCode>, recordings: readonly Recording[]) {
    this.#job = job;
    this.#dataSources = new Map(job.dataSources);
    this.#codes = codes;
    this.#recordings = job.recordings.flatMap((index) => recordings[index] ?? []);
  }

  async run(): Promise<void> {
    this.#slices.watch(() => this.#giveUp());
    // Otherwise, code that never ends would take the call that starts it with it.
    await this.#slices.pause();
    try {
      const add = this.#job.kind === 'record' ? this.#record : this.#add;
      for (const code of this.#job.codes) await add.call(this, code);
    } catch (thrown) {
      this.#failure = String(thrown).slice(0, 500);
    }
    this.#slices.close();
  }

  /** Results that haven’t been taken, up to a size. */
  take(maximum: number): { results: unknown[]; failure: string | null } {
    const results: unknown[] = [];
    for (let size = 0; size < maximum && this.#results.length > 0;) {
      const result = this.#results.shift();
      size += JSON.stringify(result).length;
      results.push(result);
    }
    return { results, failure: this.#failure };
  }

  cancel(): void {
    this.#isCanceled = true;
    this.#slices.close();
  }

  async #add(code: string): Promise<void> {
    const isFinding = this.#job.kind === 'find';
    let isFound = false;
    for (const recording of this.#recordings) {
      await this.#slices.pauseIfDue();
      if (this.#isCanceled) return;
      this.#path = '';
      this.#steps = 0;
      this.#slices.step();
      const comparison = await this.#compare(code, recording);
      isFound = comparison.differences.length > 0;
      if (!isFinding) this.#results.push(sendable(comparison));
      else if (isFound) break;
    }
    if (isFinding) this.#results.push(isFound);
  }

  async #record(code: string): Promise<void> {
    for (const recording of this.#recordings) {
      const run = recordingOf(code, recording, { load: this.#load, dataSources: this.#dataSources });
      const never = (): never => {
        throw new Error(NOT_ENDING);
      };
      const text = JSON.stringify(await this.#orStuck(run, never));
      for (let from = 0; from < text.length; from += PIECE)
        this.#results.push({ text: text.slice(from, from + PIECE), isLast: from + PIECE >= text.length });
    }
  }

  #compare(code: string, recording: Recording): Promise<Comparison> {
    const run = new RunComparison(recording, this.#dataSources).run(code, this.#load);
    return this.#orStuck(run, () => this.#stuck(recording));
  }

  /** @param stuck what code that never ends results in */
  #orStuck<T>(run: Promise<T>, stuck: () => T): Promise<T> {
    const waiting = new Promise<void>((resolve) => (this.#giveUp = resolve));
    return Promise.race([run, waiting.then(stuck)]);
  }

  #stuck({ end }: Recording): Comparison {
    const difference = { what: 'failure' as const, path: this.#path, iteration: [], v2: end.state, v3: NOT_ENDING };
    return { differences: [difference], unknown: [], steps: this.#steps, isWhole: false };
  }

  readonly #load: LoadCode = (id, names) => {
    const code = this.#codes.get(id);
    if (!code) throw new Error('The code is missing.');
    const at = names.indexOf('__at');
    return (...values) => {
      return code(...values.with(at, this.#wrap(values[at] as At)), silentConsole);
    };
  };

  /** At each step, the page can have a pause. */
  #wrap(at: At): At {
    return async (path, ...rest) => {
      this.#path = path;
      this.#steps++;
      this.#slices.step();
      await at(path, ...rest);
      await this.#slices.pauseIfDue();
    };
  }
}
