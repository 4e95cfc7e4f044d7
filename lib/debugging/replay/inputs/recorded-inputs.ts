/**
 * Decides if a call of a replay gets what a recorded call got, so that the recorded outcome counts for it: the same settings,
 * and the same of what its function reads in the context. For functions of others, that isn’t known: they’re given the whole
 * context, so all of it has to be the same. (A Proxy could see what they read, but would change what they do. How many
 * parameters a function declares proves nothing: it can read more of its arguments, and the context from elsewhere.)
 */
import type { Context, PipelineStep, StepInfo } from '../../../pipeline/index.ts';
import { escapeToken, parsePointer, valueAt } from '../../../shared/json-pointer.ts';
import type { RecordedStep, Recording } from '../../recording/format.ts';
import { RECORDING_LIMIT } from '../../recording/recorder.ts';
import { LostValueError, type RecordedValue, writeValue } from '../../recording/values.ts';
import { objectAt } from '../apply-changes.ts';
import { readSettings } from '../runnable-pipeline.ts';
import { firstDifference, type ValueDifference } from './first-difference.ts';
import { ClockReadError, fits, inputOf, isComputed, namesSetBy, pick } from './own-packages.ts';
import { isSamePosition, Numbers, type Position, PositionTrack, recordedPositions } from './positions.ts';
import { RecordedContexts } from './recorded-contexts.ts';
import { areWhole, verifiedPackages } from './verified-packages.ts';

/** The first difference of what a call would get from what it got when it was recorded. */
export interface InputDifference extends ValueDifference {
  /** Where the pointer leads to. Settings are as filled in. */
  of: 'settings' | 'context';
}

/** What a replay’s observer sees of a step. */
export type Call = Pick<StepInfo, 'name' | 'step' | 'iteration' | 'context'>;

export class RecordedInputs {
  readonly recording: Recording;
  readonly #numbers = new Numbers();
  readonly #contexts: RecordedContexts;
  #positions: readonly Position[] | null = null;
  #verified: ReadonlySet<string> | null = null;
  #payload: string | null = null;
  /** Of steps of the pipeline that runs. */
  readonly #templates = new WeakMap<PipelineStep, { of: ValueDifference | null }>();
  /** Where contexts differed last. They probably still do. */
  #last: string | null = null;

  constructor(recording: Recording) {
    this.recording = recording;
    this.#contexts = new RecordedContexts(recording);
  }

  /** Follows a replay that starts with this payload. */
  track(payload: RecordedValue): PositionTrack {
    const { payload: recorded } = this.recording;
    const isSame = payload === recorded || JSON.stringify(payload) === (this.#payload ??= JSON.stringify(recorded));
    return new PositionTrack(this.#numbers, isSame ? 0 : this.#numbers.fresh());
  }

  /** Whether a package only computes, as far as its recorded calls show it, so that a replay can do what it does. */
  computes(name: string): boolean {
    if (!isComputed(name)) return false;
    this.#verified ??= verifiedPackages(this.recording, (path) => this.#settingsAt(path));
    return this.#verified.has(name);
  }

  /** Whether the settings of a step have none that is masked, or missing otherwise. */
  hasWholeSettings(path: string | null, step: PipelineStep): boolean {
    const given = writeValue(step.settings ?? {}, { left: RECORDING_LIMIT, lost: 0 });
    return areWhole(given) && (path === null || areWhole(this.#settingsAt(path)));
  }

  /**
   * Null if the call gets the same as a recorded one.
   * @param index of the recorded call
   * @param onOwn called if only the settings are the same, of a package by a name of ours
   * @throws LostValueError if that isn’t known
   */
  difference(index: number, call: Call, track: PositionTrack, onOwn?: () => void): InputDifference | null {
    const step = this.recording.steps[index]!;
    const template = this.#templateDifference(step, call.step);
    if (!template && isSamePosition(this.#positionAt(index), track.at(call.iteration))) return null;
    const isOwn = this.#isOwn(step, call.name);
    if (template && !isOwn) return { of: 'settings', ...template };
    return this.#contexts.at(index, (recorded) => {
      const known = isOwn ? this.#inputDifference(step, call, recorded) : null;
      if (known && !known.of && !isComputed(call.name)) onOwn?.();
      if (known) return known.of;
      if (template) return { of: 'settings', ...template };
      const found = this.#contextDifference(index, call, { recorded, track });
      return found && { of: 'context', ...found };
    });
  }

  /**
   * Notes that the contexts are the same before a loop, if they are, so that they don’t have to be compared in each iteration.
   * @param index of the recorded loop
   */
  compareAtLoop(index: number, call: Call, track: PositionTrack): void {
    const [recorded, now] = [this.#positionAt(index), track.at(call.iteration)];
    if (recorded.context === now.context || recorded.loops !== now.loops) return;
    try {
      this.#contexts.at(index, (context) => this.#contextDifference(index, call, { recorded: context, track }));
    } catch (thrown) {
      if (!(thrown instanceof LostValueError)) throw thrown;
    }
  }

  #positionAt(index: number): Position {
    return (this.#positions ??= recordedPositions(this.recording, this.#numbers))[index]!;
  }

  #settingsAt(path: string): RecordedValue {
    return (valueAt(this.recording.pipeline, `${path}/settings`) ?? {}) as RecordedValue;
  }

  #templateDifference({ path }: RecordedStep, step: PipelineStep): ValueDifference | null {
    const known = this.#templates.get(step);
    if (known) return known.of;
    const found = firstDifference(readSettings(this.#settingsAt(path)), step.settings ?? {});
    this.#templates.set(step, { of: found });
    return found;
  }

  /** Whether it’s known what the package reads. */
  #isOwn(step: RecordedStep, name: string): boolean {
    return isComputed(name) ? this.computes(name) : fits(name, step);
  }

  /** Null if it isn’t known what the package reads, or if it reads the time or random numbers. */
  #inputDifference(
    { path, changes = [] }: RecordedStep,
    call: Call,
    context: Context,
  ): { of: InputDifference | null } | null {
    const settings = readSettings(this.#settingsAt(path));
    try {
      const recorded = inputOf(call.name, settings, context);
      if (!recorded) return null;
      const found = firstDifference(recorded, inputOf(call.name, call.step.settings ?? {}, call.context));
      if (found) return { of: { of: 'settings', ...withoutForm(found) } };
      // What it set to the value that was there already isn’t recorded as a change.
      const unchanged = namesSetBy(call.name, settings).filter(
        (name) => !changes.some(([pointer]) => pointer === `/${escapeToken(name)}`),
      );
      const before = firstDifference(pick(context, unchanged), pick(call.context, unchanged));
      return { of: before && { of: 'context', ...before } };
    } catch (thrown) {
      if (thrown instanceof ClockReadError) return null;
      throw thrown;
    }
  }

  #contextDifference(
    index: number,
    { iteration, context }: Call,
    { recorded, track }: { recorded: Context; track: PositionTrack },
  ): ValueDifference | null {
    const found = this.#atLast(recorded, context) ?? firstDifference(recorded, context);
    this.#last = found?.pointer ?? null;
    const [was, is] = [this.#positionAt(index), track.at(iteration)];
    if (!found && was.loops === is.loops) track.became(was.context);
    return found;
  }

  /** The difference at the place of the last one, if there’s one. It spares comparing all that precedes it. */
  #atLast(recorded: Context, replayed: Context): ValueDifference | null {
    const pointer = this.#last;
    if (pointer === null || pointer === '') return null;
    const [holders, key] = [pointer.slice(0, pointer.lastIndexOf('/')), parsePointer(pointer).at(-1)!];
    const [one, other] = [objectAt(recorded, holders), objectAt(replayed, holders)];
    if (!one || !other) return null;
    try {
      const found = firstDifference(own(one, key), own(other, key));
      return found && { ...found, pointer: `${holders}${found.pointer}` };
    } catch (thrown) {
      if (thrown instanceof LostValueError) return null;
      throw thrown;
    }
  }
}

/** One property, if the object has it. */
function own(holder: object, key: string): object {
  const property = Object.getOwnPropertyDescriptor(holder, key);
  return property ? Object.defineProperty({}, key, property) : {};
}

/** A difference of inputs as one of settings: `/to/is/0` becomes `/to/0`. */
function withoutForm({ pointer, ...values }: ValueDifference): ValueDifference {
  const [name = '', , ...rest] = parsePointer(pointer);
  return { pointer: [name, ...rest].map((token) => `/${escapeToken(token)}`).join(''), ...values };
}
