/** Finds where the names that a loop sets are variables in the code, so that its `data` doesn’t have them. */
import type { RecordedStep, Recording } from '../../../debugging/recording/format.ts';
import { LostValueError, readValue } from '../../../debugging/recording/values.ts';
import type { PipelineStep } from '../../../pipeline/types.ts';
import { valueAt } from '../../../shared/json-pointer.ts';
import { Effects } from '../../effects.ts';
import { whyInContext } from '../../loops.ts';

export class LoopNames {
  readonly #recording: Recording;
  #pipeline: unknown;
  /** By path of a step: whether its innermost loop sets variables. */
  readonly #known = new Map<string, boolean>();
  readonly #effects = new Effects();

  private constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** Many versions of code run beside the same recording. */
  static of(recording: Recording): LoopNames {
    const names = KNOWN.get(recording) ?? new LoopNames(recording);
    KNOWN.set(recording, names);
    return names;
  }

  areVariables({ path, iteration = [] }: RecordedStep): boolean {
    if (iteration.length === 0) return false;
    const found = this.#known.get(path) ?? this.#find(path);
    this.#known.set(path, found);
    return found;
  }

  #find(path: string): boolean {
    try {
      this.#pipeline ??= readValue(this.#recording.pipeline);
      for (let end = path.lastIndexOf('/functions/'); end >= 0; end = path.lastIndexOf('/functions/', end - 1)) {
        const { type, functions = [] } = Object(valueAt(this.#pipeline, path.slice(0, end))) as Partial<PipelineStep>;
        if (type === 'loop') return whyInContext(functions, this.#effects.writesOfAll(functions)) === null;
      }
      return true;
    } catch (thrown) {
      if (thrown instanceof LostValueError) return true;
      throw thrown;
    }
  }
}

const KNOWN = new WeakMap<Recording, LoopNames>();
