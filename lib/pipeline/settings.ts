/** Owns a step's settings: read once into a snapshot, from which each call of its function gets a copy of its own. */

type Settings = Record<string, unknown>;

/** Why settings are refused; `path` is a JSON Pointer below the settings. */
export interface SettingsProblem {
  code: 'INVALID_SETTINGS' | 'TOO_DEEP' | 'TOO_LARGE' | 'CYCLE';
  path: string;
  message: string;
}

const MAX_LEVELS = 100;
/** Most values in the settings of all steps of a pipeline. */
const MAX_VALUES = 500_000;

/** How many values are still allowed; one for each pipeline. */
export interface Budget {
  left: number;
}
export const settingsBudget = (): Budget => ({ left: MAX_VALUES });

class Refused extends Error {
  readonly problem: SettingsProblem;
  constructor(problem: SettingsProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/**
 * A function that makes a new copy at each call, so that what one call changes reaches neither the next call, another run, nor
 * the caller's pipeline. Plain objects and arrays are copied; anything else (a function, a Date, an instance) is handed on as it is.
 */
export function settingsCopier(settings: unknown, budget: Budget): (() => Settings) | SettingsProblem {
  if (settings === undefined || settings === null) return () => ({});
  try {
    if (!isPlain(settings)) return { code: 'INVALID_SETTINGS', path: '', message: 'settings must be an object.' };
    return copier(settings, '', [], budget) as () => Settings;
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.problem;
    return {
      code: 'INVALID_SETTINGS',
      path: '',
      message: 'settings cannot be read: a property throws when it is read.',
    };
  }
}

function copier(value: object, path: string, ancestors: object[], budget: Budget): () => unknown {
  if (ancestors.includes(value)) throw new Refused({ code: 'CYCLE', path, message: 'settings contain themselves.' });
  if (ancestors.length >= MAX_LEVELS)
    throw new Refused({ code: 'TOO_DEEP', path, message: `settings are nested more than ${MAX_LEVELS} levels deep.` });
  const isList = Array.isArray(value);
  if ((budget.left -= isList ? value.length : 1) < 0) throw tooLarge(path);
  // Spreading makes own properties of all keys, also of one named __proto__.
  const base: Settings = isList
    ? (Array.from({ length: value.length }, (_, index) => (value as unknown[])[index]) as unknown as Settings)
    : { ...(value as Settings) };
  const nested: [string, () => unknown][] = [];
  ancestors.push(value);
  for (const key of Object.keys(base)) {
    const item = base[key];
    if (!isList && --budget.left < 0) throw tooLarge(path);
    if (!Array.isArray(item) && !isPlain(item)) continue;
    nested.push([
      key,
      copier(item as object, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, ancestors, budget),
    ]);
  }
  ancestors.pop();
  const copy: () => Settings = isList
    ? () => (base as unknown as unknown[]).slice() as unknown as Settings
    : () => ({ ...base });
  if (nested.length === 0) return copy;
  return () => {
    const whole = copy();
    for (const [key, make] of nested) whole[key] = make();
    return whole;
  };
}

function tooLarge(path: string): Refused {
  return new Refused({
    code: 'TOO_LARGE',
    path,
    message: `The settings of a pipeline have at most ${MAX_VALUES} values.`,
  });
}

/** An object literal's kind of object, of this realm or another. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
