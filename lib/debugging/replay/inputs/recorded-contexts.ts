/** Looks at the context of a recorded run at one step after another. It’s cheapest in their order. */
import type { Context } from '../../../pipeline/index.ts';
import type { Recording } from '../../recording/format.ts';
import { RecordingWalk } from '../walk.ts';

export class RecordedContexts {
  readonly #recording: Recording;
  #walk: RecordingWalk | null = null;
  /** Index of the step that the walk visits next. */
  #next = 0;
  #started: (index: number, context: Context) => void = () => undefined;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** @param look receives the live context, before what the step does. Its errors are passed on */
  at<T>(index: number, look: (context: Context) => T): T {
    const walk = this.#walkTo(index);
    let result = (): T => {
      throw new RangeError(`The recording has no step ${index}.`);
    };
    this.#started = (at, context) => {
      if (at === index) result = attempt(() => look(context));
    };
    walk.advance(index + 1 - this.#next);
    this.#next = index + 1;
    return result();
  }

  #walkTo(index: number): RecordingWalk {
    if (this.#walk && index >= this.#next) return this.#walk;
    this.#next = 0;
    return (this.#walk = new RecordingWalk(this.#recording, {
      started: (step, context) => this.#started(step.index, context),
      ended: () => undefined,
    }));
  }
}

/** An error would leave the walk within a step. */
function attempt<T>(use: () => T): () => T {
  try {
    const value = use();
    return () => value;
  } catch (thrown) {
    return () => {
      throw thrown;
    };
  }
}
