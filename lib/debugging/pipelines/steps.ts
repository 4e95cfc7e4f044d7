/** Lists a pipeline's steps with their paths and contents. Accepts any value: what isn't a step is left out. */
import { type RecordedValue, writeValue } from '../recording/values.ts';

export interface ListedStep {
  /** JSON Pointer into the pipeline. */
  path: string;
  kind: 'function' | 'loop' | 'if';
  /** The package of a function step, or the kind of any other step. */
  name: string;
  /** A number for its own content: package, settings, items, range, and conditions, without nested steps. */
  own: number;
  /** A number for its own content and that of all nested steps. */
  whole: number;
  /** Lists of nested steps, by their path in the step, such as `conditions/0/functions`. */
  lists: ReadonlyMap<string, readonly ListedStep[]>;
}

/** As in the engine. */
const MAX_LEVELS = 100;
const MAX_STEPS = 100_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Numbers contents, so that equal ones are equal numbers. Use one for all pipelines that are compared. */
export class Contents {
  readonly #numbers = new Map<string, number>();

  numberOf(content: unknown): number {
    const text = JSON.stringify(content);
    const known = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, known);
    return known;
  }
}

/** The steps of the outermost list. Nested steps are in their `lists`. */
export function listSteps(pipeline: unknown, contents = new Contents()): ListedStep[] {
  // As JSON, a pipeline can't contain itself, and reading it can't throw.
  const steps = writeValue(pipeline, { left: MAX_CHARACTERS, lost: 0 });
  return new Lister(contents).list(steps, '', 0);
}

/** Steps with all of their nested steps, in document order. */
export const withNested = (steps: readonly ListedStep[]): ListedStep[] =>
  steps.flatMap((step) => [step, ...[...step.lists.values()].flatMap(withNested)]);

type Fields = { [name: string]: RecordedValue };

class Lister {
  readonly #contents: Contents;
  #left = MAX_STEPS;

  constructor(contents: Contents) {
    this.#contents = contents;
  }

  list(value: RecordedValue | undefined, path: string, level: number): ListedStep[] {
    if (!Array.isArray(value) || level >= MAX_LEVELS) return [];
    const steps: ListedStep[] = [];
    for (let index = 0; index < value.length && this.#left > 0; index++) {
      const step = value[index];
      if (isFields(step)) steps.push(this.#step(step, `${path}/${index}`, level));
    }
    return steps;
  }

  #step(fields: Fields, path: string, level: number): ListedStep {
    this.#left--;
    const { type } = fields;
    const kind = type === 'loop' || type === 'if' ? type : 'function';
    const name = kind === 'function' ? String(fields['functionPackage'] ?? fields['function']) : kind;
    const own = this.#contents.numberOf([kind, name, contentOf(kind, fields)]);
    const lists = new Map<string, ListedStep[]>();
    for (const [key, list] of listsOf(kind, fields)) lists.set(key, this.list(list, `${path}/${key}`, level + 1));
    // Steps that differ in empty lists are the same.
    const nested = [...lists].filter(([, list]) => list.length > 0);
    const whole = this.#contents.numberOf([own, nested.map(([key, list]) => [key, list.map((one) => one.whole)])]);
    return { path, kind, name, own, whole, lists };
  }
}

function contentOf(kind: ListedStep['kind'], fields: Fields): unknown {
  if (kind === 'loop') return [fields['items'], sorted(fields['range'])];
  if (kind === 'if')
    return [blocksOf(fields).map(({ condition }) => condition), Array.isArray(fields['elseFunctions'])];
  return sorted(fields['settings'] ?? {});
}

function listsOf(kind: ListedStep['kind'], fields: Fields): [name: string, list: RecordedValue | undefined][] {
  if (kind !== 'if') return [['functions', fields['functions']]];
  const blocks = blocksOf(fields).map((block, index): [string, RecordedValue | undefined] => [
    `conditions/${index}/functions`,
    block['functions'],
  ]);
  return [...blocks, ['elseFunctions', fields['elseFunctions']]];
}

const blocksOf = ({ conditions }: Fields): Fields[] =>
  Array.isArray(conditions) ? conditions.map((block) => (isFields(block) ? block : {})) : [];

/** Objects as sorted entries, so that the order of their names doesn't matter. */
function sorted(value: RecordedValue | undefined): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return {
    entries: Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  };
}

const isFields = (value: RecordedValue | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
