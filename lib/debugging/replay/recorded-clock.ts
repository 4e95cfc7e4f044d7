/** Gives a replay the times of the recorded run, so that it takes no time, and is the same each time. */
import type { ConditionSources } from '../../pipeline/index.ts';
import type { RecordedStep } from '../recording/format.ts';
import { LostValueError } from '../recording/values.ts';

interface OpenStep {
  recorded: RecordedStep | undefined;
  now: number;
  random: number;
}

export class RecordedClock {
  readonly #open: OpenStep[] = [];
  /** In milliseconds since the start. */
  time = 0;

  pass(milliseconds: number): void {
    this.time += milliseconds;
  }

  /** @param recorded the recorded step whose times and random numbers the step’s conditions read */
  enter(recorded: RecordedStep | undefined): void {
    this.#open.push({ recorded, now: 0, random: 0 });
  }

  leave(): void {
    this.#open.pop();
  }

  /** @throws LostValueError if the recorded conditions haven’t read as many */
  readonly sources: Required<ConditionSources> = {
    now: () => this.#read('now'),
    random: () => this.#read('random'),
  };

  #read(kind: 'now' | 'random'): number {
    const step = this.#open.at(-1);
    const value = step?.recorded?.[kind]?.[step[kind]++];
    if (value === undefined)
      throw new LostValueError('unreadable', `the recorded condition didn’t read ${NAMES[kind]} here`);
    return value;
  }
}

const NAMES = { now: 'the time', random: 'a random number' };

/** The milliseconds that a step took without its nested steps. */
export function ownTime(steps: readonly RecordedStep[], index: number): number {
  const step = steps[index]!;
  const next = steps[index + 1];
  return next?.path.startsWith(`${step.path}/`) ? Math.max(0, next.at - step.at) : step.milliseconds;
}
