/**
 * Numbers the places of runs by what led there. Equal numbers are equal contexts, although nothing is compared: the runs
 * started with the same payload, and have changed it in the same ways.
 */
import { valueAt } from '../../../shared/json-pointer.ts';
import type { RecordedChange } from '../../recording/context-changes.ts';
import type { RecordedStep, Recording } from '../../recording/format.ts';
import { lossesOf } from '../recorded-steps.ts';
import { isInside } from '../walk.ts';

export interface Position {
  /** What the context has become, other than the names that loops set. */
  context: number;
  /** The loops around the step, with their items. */
  loops: number;
}

/** Equal parts have equal numbers. */
export class Numbers {
  readonly #byParts = new Map<string, number>();
  readonly #byObject = new WeakMap<object, number>();
  #last = 0;

  fresh(): number {
    return ++this.#last;
  }

  of(parts: string): number {
    const known = this.#byParts.get(parts);
    if (known !== undefined) return known;
    const number = this.fresh();
    this.#byParts.set(parts, number);
    return number;
  }

  /** By identity: equal objects can have different numbers. */
  ofObject(object: object): number {
    const known = this.#byObject.get(object);
    if (known !== undefined) return known;
    const number = this.fresh();
    this.#byObject.set(object, number);
    return number;
  }
}

export class PositionTrack {
  readonly #numbers: Numbers;
  #context: number;
  /** The loops that are open, outermost first. */
  readonly #loops: { owner: object; number: number }[] = [];
  #last: { loop: number; index: number; number: number } | null = null;

  /** @param context the number of what the run starts with */
  constructor(numbers: Numbers, context: number) {
    this.#numbers = numbers;
    this.#context = context;
  }

  at(iteration: readonly number[] = []): Position {
    return { context: this.#context, loops: this.#loopsAt(iteration) };
  }

  #loopsAt(iteration: readonly number[]): number {
    const { length } = this.#loops;
    if (length !== iteration.length) return this.#numbers.fresh();
    if (length === 0) return 0;
    const [loop, index] = [this.#loops[length - 1]!.number, iteration[length - 1]!];
    if (this.#last?.loop === loop && this.#last.index === index) return this.#last.number;
    const number = this.#numbers.of(`at ${loop} ${index}`);
    this.#last = { loop, index, number };
    return number;
  }

  /** @param how what happens to the places of these changes */
  changed(changes: readonly RecordedChange[], iteration?: readonly number[], how = 'set'): void {
    if (changes.length === 0) return;
    // Lists of losses are made anew for each replay, from the same changes.
    const parts = how === 'set' ? [changes] : changes;
    const what = parts.map((part) => this.#numbers.ofObject(part)).join();
    this.#context = this.#numbers.of(`${how} ${this.#context} ${what} ${this.#loopsAt(iteration ?? [])}`);
  }

  /** The context becomes what no other run has. */
  diverged(): void {
    this.#context = this.#numbers.fresh();
  }

  /** The context was found to be that of another run. */
  became(context: number): void {
    this.#context = context;
  }

  /** @param owner leaves it */
  enterLoop(owner: object, definition: unknown, iteration?: readonly number[]): void {
    const { items, range } = Object(definition) as { items?: unknown; range?: { from?: unknown } };
    // The items can be elsewhere once they’re looped over, so they’re known by the context that they’re from.
    const what = typeof items === 'string' ? [this.#context, items] : ['range', Object(range).from as unknown];
    const number = this.#numbers.of(`loop ${this.#loopsAt(iteration ?? [])} ${JSON.stringify(what)}`);
    this.#loops.push({ owner, number });
  }

  leaveLoop(owner: object): void {
    if (this.#loops.at(-1)?.owner === owner) this.#loops.pop();
  }

  /** Leaves all loops that a step isn’t in. */
  leaveOthers(step: RecordedStep): void {
    while (this.#loops.length > 0 && !isInside(step, this.#loops.at(-1)!.owner as RecordedStep)) this.#loops.pop();
  }
}

/** The position of each recorded step, before what it does. */
export function recordedPositions({ steps, pipeline }: Recording, numbers: Numbers): Position[] {
  const track = new PositionTrack(numbers, 0);
  const losses = lossesOf(steps);
  const loops = new Map<string, unknown>();
  return steps.map((step, index) => {
    const { path, iteration, kind, late = [], changes = [] } = step;
    track.leaveOthers(step);
    for (const one of late) track.changed(one.changes, iteration);
    const position = track.at(iteration);
    track.changed(changes, iteration);
    track.changed(losses.get(index) ?? [], iteration, 'lose');
    if (kind !== 'loop') return position;
    if (!loops.has(path)) loops.set(path, valueAt(pipeline, path));
    track.enterLoop(step, loops.get(path), iteration);
    return position;
  });
}

export const isSamePosition = (one: Position, other: Position): boolean =>
  one.context === other.context && one.loops === other.loops;
