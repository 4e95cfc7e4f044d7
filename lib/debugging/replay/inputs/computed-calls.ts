/** Calls the packages that only compute, in a replay of steps whose recorded outcome doesn’t count. */
import type { Context, FunctionRegistry, PipelineFunction, StepInfo } from '../../../pipeline/index.ts';
import { escapeToken } from '../../../shared/json-pointer.ts';
import type { RecordedChange } from '../../recording/context-changes.ts';
import { RECORDING_LIMIT } from '../../recording/recorder.ts';
import { laterReference, type RecordedValue, reference, writeValue } from '../../recording/values.ts';
import type { ReplayRecorder } from '../replay-recorder.ts';
import { callComputed, isComputed, namesSetBy, overlay, type Settings, withoutClock } from './own-packages.ts';
import { ContextPlaces } from './context-places.ts';
import type { PositionTrack } from './positions.ts';
import type { RecordedInputs } from './recorded-inputs.ts';

export class ComputedCalls {
  readonly #inputs: RecordedInputs;
  readonly #track: PositionTrack;
  readonly #recorder: ReplayRecorder;
  readonly places = new ContextPlaces();
  /** Whether there has been such a call. */
  hasAny = false;

  constructor(inputs: RecordedInputs, track: PositionTrack, recorder: ReplayRecorder) {
    this.#inputs = inputs;
    this.#track = track;
    this.#recorder = recorder;
  }

  /**
   * Whether the engine calls the step’s package.
   * @param recordedPath of the step in the recorded pipeline; null if it isn’t there
   */
  takes({ name, step }: StepInfo, recordedPath: string | null): boolean {
    if (!this.#inputs.computes(name) || !this.#inputs.hasWholeSettings(recordedPath, step)) return false;
    this.hasAny = true;
    this.#recorder.called();
    if (namesSetBy(name, step.settings ?? {}).length > 0) this.#track.diverged();
    return true;
  }

  /** Every package is known. Those that only compute do so, and all others do nothing. */
  readonly functions = {
    has: () => true,
    get: (name: string): PipelineFunction =>
      isComputed(name) ? (settings, context) => this.#call(name, settings, context) : () => undefined,
  } as unknown as FunctionRegistry;

  #call(name: string, settings: Settings, context: Context): unknown {
    const names = namesSetBy(name, settings);
    const before = names.length > 0 ? overlay(context) : context;
    try {
      return withoutClock(() => callComputed(name, settings, context));
    } finally {
      this.#recorder.changed(changesOf(names, before, context, this.places));
    }
  }
}

/** What a call has set. Objects that the context also has elsewhere are references to them. */
function changesOf(
  names: readonly string[],
  before: Context,
  context: Context,
  places: ContextPlaces,
): RecordedChange[] {
  const changes: RecordedChange[] = [];
  const later: RecordedChange[] = [];
  /** Where the objects are that are new. */
  const made = new Map<object, string>();
  const except = new Set(names);
  const placeOf = (object: object): string | undefined => places.of(object, context, except);
  const known = (object: object): RecordedValue | undefined => {
    const place = placeOf(object);
    return place === undefined ? undefined : reference(place);
  };
  const share = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || placeOf(value) !== undefined) return;
    const first = made.get(value);
    if (first !== undefined) return void later.push([path, laterReference(first)]);
    made.set(value, path);
    for (const [key, { value: item }] of ownProperties(value)) share(item, `${path}/${escapeToken(key)}`);
  };
  for (const name of names) {
    const [was, is] = [before, context].map((holder) => Object.getOwnPropertyDescriptor(holder, name));
    if (!is || (was && 'value' in was && Object.is(was.value, is.value))) continue;
    const path = `/${escapeToken(name)}`;
    changes.push([path, writeValue(is.value, { left: RECORDING_LIMIT, lost: 0 }, known)]);
    share(is.value, path);
  }
  return [...changes, ...later];
}

const ownProperties = (holder: object): [string, PropertyDescriptor][] =>
  Object.entries(Object.getOwnPropertyDescriptors(holder));
