/** Finds the steps of a recorded pipeline, in which values can be lost. */
import { parsePointer } from '../../../shared/json-pointer.ts';
import type { RecordedStep } from '../format.ts';
import type { RecordedValue } from '../values.ts';

/** What is at a path. `unknown`: the recording doesn’t have that part of the pipeline. */
export type StepAt = RecordedStep['kind'] | 'none' | 'unknown';

export class PipelineSteps {
  readonly #pipeline: RecordedValue;
  readonly #known = new Map<string, StepAt>();

  constructor(pipeline: RecordedValue) {
    this.#pipeline = pipeline;
  }

  at(path: string): StepAt {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const found = this.#find(path);
    this.#known.set(path, found);
    return found;
  }

  #find(path: string): StepAt {
    if (!path.startsWith('/')) return 'none';
    let value: RecordedValue | undefined = this.#pipeline;
    for (const token of parsePointer(path)) {
      if (value === undefined) return 'none';
      if (isLost(value)) return 'unknown';
      value = memberOf(value, token);
    }
    if (value === undefined) return 'none';
    if (isLost(value)) return 'unknown';
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'none';
    const type = memberOf(value, 'type');
    if (type === 'loop' || type === 'if') return type;
    return type !== undefined && isLost(type) ? 'unknown' : 'function';
  }
}

function memberOf(value: RecordedValue, token: string): RecordedValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    const item = /^(0|[1-9]\d{0,9})$/.test(token) ? value[Number(token)] : undefined;
    const last = value.at(-1);
    return item ?? (last !== undefined && isMark(last, 'rest') ? last : undefined);
  }
  if (isMark(value, 'entries')) {
    const entries = value.value as [string, RecordedValue][];
    return entries.find(([name]) => name === token)?.[1];
  }
  return Object.hasOwn(value, token) ? value[token] : undefined;
}

const isLost = (value: RecordedValue): boolean => isMark(value, 'lost') || isMark(value, 'rest');

const isMark = (value: RecordedValue, kind: string): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, '$') && value.$ === kind;
