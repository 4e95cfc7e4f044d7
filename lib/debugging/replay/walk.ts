/**
 * Goes through a recorded run as it was recorded, and keeps its context. Nothing is evaluated, so every recording can be
 * shown, even if a replay of it would stop at a lost value.
 */
import type { Context } from '../../pipeline/index.ts';
import { findItems, itemsPath } from '../../pipeline/syntax.ts';
import { valueAt } from '../../shared/json-pointer.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import type { LateChanges, RecordedStep, Recording } from '../recording/format.ts';
import { loseProperty, LostValueError, readValue } from '../recording/values.ts';
import { applyChanges, loseChanges } from './apply-changes.ts';
import type { ChangedNames } from '../recording/changed-names.ts';
import { lossesOf } from './recorded-steps.ts';

export interface WalkedStep {
  /** Index of the recorded step. */
  readonly index: number;
  readonly recorded: RecordedStep;
  /** The step in the pipeline; undefined if it has none at this path. */
  readonly definition: unknown;
}

/** The context is live: it's the run's at this point. */
export interface WalkVisitor {
  started(step: WalkedStep, context: Context): void;
  /** What a pause at the step has changed. Without this, it’s in the context when the step starts. */
  changed?(step: WalkedStep, late: LateChanges, context: Context): void;
  ended(step: WalkedStep, context: Context): void;
}

type Place = Pick<RecordedStep, 'path' | 'iteration'>;

interface OpenStep extends WalkedStep {
  /** Set if it's a loop. */
  loop: OpenLoop | null;
}

interface OpenLoop {
  /** Null for a range, and if the items aren't known. */
  items: readonly unknown[] | null;
  from: number | null;
  index: number;
  outside: Map<string, PropertyDescriptor>;
}

const LOOP_NAMES = ['currentItem', 'currentIndex'];

export class RecordingWalk {
  readonly #recording: Recording;
  readonly #visitor: WalkVisitor;
  readonly #names: ChangedNames | undefined;
  readonly #context: Context;
  readonly #pipeline: unknown;
  readonly #definitions = new Map<string, unknown>();
  readonly #losses: ReturnType<typeof lossesOf>;
  readonly #open: OpenStep[] = [];
  #next = 0;

  /** @param names receives the names of the context that change */
  constructor(recording: Recording, visitor: WalkVisitor, names?: ChangedNames) {
    this.#recording = recording;
    this.#visitor = visitor;
    this.#names = names;
    const payload = attempt(() => readValue(recording.payload));
    // It isn't copied: reading a lost property throws.
    this.#context = isContext(payload) ? payload : {};
    this.#pipeline = attempt(() => readValue(recording.pipeline));
    this.#losses = lossesOf(recording.steps);
  }

  /** Goes this many steps further. Returns false once all steps have ended. */
  advance(count: number): boolean {
    const { steps } = this.#recording;
    const end = Math.min(steps.length, this.#next + count);
    while (this.#next < end) this.#visit(this.#next++, steps);
    if (end < steps.length) return true;
    while (this.#open.length > 0) this.#close();
    return false;
  }

  #visit(index: number, steps: readonly RecordedStep[]): void {
    const recorded = steps[index]!;
    while (this.#open.length > 0 && !isInside(recorded, this.#open.at(-1)!.recorded)) this.#close();
    this.#advanceLoop(recorded);
    const late = [...(recorded.late ?? [])];
    while (late[0] && !(this.#visitor.changed && isOfPause(late[0]))) this.#apply(late.shift()!.changes);
    const definition = this.#definitionAt(recorded.path);
    const open: OpenStep = { index, recorded, definition, loop: null };
    this.#open.push(open);
    this.#visitor.started(open, this.#context);
    for (const each of late) this.#changed(open, each);
    this.#change(open);
    if (recorded.kind === 'loop') open.loop = this.#loopOf(definition);
    const losses = this.#losses.get(index);
    if (!losses) return;
    loseChanges(this.#context, losses);
    this.#names?.addChanges(losses);
  }

  #apply(changes: readonly RecordedChange[]): void {
    applyChanges(this.#context, changes);
    this.#names?.addChanges(changes);
  }

  /** Only what was edited after a failure needs the visitor. The rest is in the context when the step ends. */
  #change(step: OpenStep): void {
    const { changes = [], edited = [], attempts = [] } = step.recorded;
    const attempt = attempts.length + 1;
    let next = 0;
    for (const nth of edited) {
      if (nth > next) this.#changed(step, { changes: changes.slice(next, nth), attempt });
      this.#changed(step, { changes: changes.slice(nth, nth + 1), attempt, by: 'edit' });
      next = nth + 1;
    }
    this.#apply(next === 0 ? changes : changes.slice(next));
  }

  #changed(step: OpenStep, late: LateChanges): void {
    this.#apply(late.changes);
    this.#visitor.changed?.(step, late, this.#context);
  }

  #close(): void {
    const step = this.#open.pop()!;
    // A loop that ends with the run leaves its item in the context, as in the engine.
    if (step.loop && step.recorded.state === 'completed') this.#leave(step.loop);
    this.#visitor.ended(step, this.#context);
  }

  #definitionAt(path: string): unknown {
    if (!this.#definitions.has(path))
      this.#definitions.set(
        path,
        attempt(() => valueAt(this.#pipeline, path)),
      );
    return this.#definitions.get(path);
  }

  #loopOf(definition: unknown): OpenLoop {
    const { items, range } = Object(definition) as { items?: unknown; range?: { from?: unknown } };
    const found = typeof items === 'string' ? attempt(() => findItems(this.#context, items)) : undefined;
    if (Array.isArray(found)) {
      const [name] = itemsPath(items as string, (key) => Object.hasOwn(this.#context, key));
      for (const shared of [name!, 'currentItem']) this.#names?.share(shared);
    }
    const from = Object(range).from as unknown;
    const outside = LOOP_NAMES.flatMap((name) => {
      const property = Object.getOwnPropertyDescriptor(this.#context, name);
      return property ? [[name, property] as const] : [];
    });
    return {
      items: Array.isArray(found) ? found : null,
      from: typeof from === 'number' ? from : null,
      index: -1,
      outside: new Map(outside),
    };
  }

  /** Sets the item of the innermost loop, as the engine does. */
  #advanceLoop({ iteration = [] }: RecordedStep): void {
    const loop = this.#open.findLast((step) => step.loop)?.loop;
    const index = iteration.at(-1);
    if (!loop || index === undefined || loop.index === index) return;
    loop.index = index;
    for (const name of LOOP_NAMES) this.#names?.add(name);
    const slot = { holder: this.#context, key: 'currentItem' };
    if (loop.from !== null) set(this.#context, 'currentItem', loop.from + index);
    else if (loop.items && !isLost(loop.items, index)) set(this.#context, 'currentItem', loop.items[index]);
    else loseProperty(slot, 'unreadable');
    set(this.#context, 'currentIndex', index);
  }

  #leave({ outside }: OpenLoop): void {
    for (const name of LOOP_NAMES) {
      const property = outside.get(name);
      this.#names?.add(name);
      if (property) Object.defineProperty(this.#context, name, property);
      else delete this.#context[name];
    }
  }
}

const isOfPause = ({ by, attempt: number }: LateChanges): boolean => by !== undefined || number !== undefined;

const isContext = (payload: unknown): payload is Context =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload) && !(payload instanceof Date);

const set = (context: Context, key: string, value: unknown): void =>
  void Object.defineProperty(context, key, { value, writable: true, enumerable: true, configurable: true });

const isLost = (items: readonly unknown[], index: number): boolean =>
  Object.getOwnPropertyDescriptor(items, index)?.get !== undefined;

/** Undefined if the value is lost. */
function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof LostValueError) return undefined;
    throw thrown;
  }
}

/** Whether a step ran within another. */
export function isInside({ path, iteration = [] }: Place, outer: Place): boolean {
  if (!path.startsWith(`${outer.path}/`)) return false;
  return (outer.iteration ?? []).every((index, depth) => iteration[depth] === index);
}
