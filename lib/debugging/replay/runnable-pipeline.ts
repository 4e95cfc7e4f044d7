/** Reads recorded pipelines so that they can run although settings are lost: a replay calls no functions. */
import { type LossReason, LostValueError, readValue, type RecordedValue } from '../recording/values.ts';

export interface RunnablePipeline {
  /** Lost values in settings are null. */
  pipeline: unknown;
  /** Another value that the recording doesn’t have, such as a condition. The pipeline can’t run then. */
  lost: LostValueError | null;
}

export function runnablePipeline(recorded: RecordedValue): RunnablePipeline {
  const reader = new Reader();
  const known = reader.read(recorded, false);
  const { lost } = reader;
  return { pipeline: lost ? undefined : readValue(known), lost };
}

/** The settings of a recorded step. Lost values are null, as in a pipeline that runs. */
export const readSettings = (settings: RecordedValue): Readonly<Record<string, unknown>> =>
  (readValue(new Reader().read(settings, true)) ?? {}) as Record<string, unknown>;

class Reader {
  lost: LostValueError | null = null;

  /** Returns the same object if nothing in it is lost. */
  read(value: RecordedValue, isSettings: boolean): RecordedValue {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.read(item, isSettings));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    const { $: mark } = value;
    if (mark === 'lost' || mark === 'rest') return this.#lose(value, isSettings);
    let copy: { [name: string]: RecordedValue } | null = null;
    for (const [name, item] of Object.entries(value)) {
      const known = this.read(item, isSettings || name === 'settings');
      // Only settings are replaced, so an own `__proto__` isn't.
      if (known !== item) (copy ??= { ...value })[name] = known;
    }
    return copy ?? value;
  }

  #lose(mark: { [name: string]: RecordedValue }, isSettings: boolean): RecordedValue {
    if (isSettings) return null;
    this.lost ??= new LostValueError(mark['$'] === 'rest' ? 'too-large' : (mark['value'] as LossReason));
    return mark;
  }
}

/** The number of lost values in a value. */
export function lossesIn(value: RecordedValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (!Array.isArray(value) && value['$'] === 'lost') return 1;
  if (!Array.isArray(value) && value['$'] === 'rest') return Number(value['value']);
  let losses = 0;
  for (const item of Object.values(value)) if (typeof item === 'object') losses += lossesIn(item);
  return losses;
}
