/** Takes a snapshot of a step’s settings, and copies it for each call of the step’s function. */

type Settings = Record<string, unknown>;

/** Why settings were refused. `path` is a JSON Pointer into the settings. */
export interface SettingsProblem {
  code: 'INVALID_SETTINGS' | 'TOO_DEEP' | 'TOO_LARGE' | 'CYCLE';
  path: string;
  message: string;
}

const MAX_LEVELS = 100;
/** Maximum number of values in the settings of all of a pipeline’s steps. */
const MAX_VALUES = 500_000;

/** How many more values a pipeline’s settings can contain. */
export interface Budget {
  left: number;
}
export const settingsBudget = (): Budget => ({ left: MAX_VALUES });

class SettingsError extends Error {
  readonly problem: SettingsProblem;
  constructor(problem: SettingsProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/**
 * Returns a function that copies the settings, so that changes made in one call don’t affect another call, another run,
 * or the caller’s pipeline. Copies plain objects and arrays. All else (functions, Dates, instances) is shared.
 */
export function settingsCopier(settings: unknown, budget: Budget): (() => Settings) | SettingsProblem {
  if (settings === undefined || settings === null) return () => ({});
  try {
    if (!isPlain(settings)) return { code: 'INVALID_SETTINGS', path: '', message: 'settings must be an object.' };
    return copier(settings, '', [], budget) as () => Settings;
  } catch (thrown) {
    if (thrown instanceof SettingsError) return thrown.problem;
    return {
      code: 'INVALID_SETTINGS',
      path: '',
      message: 'Couldn’t read the settings: a property throws an error when it’s read.',
    };
  }
}

function copier(value: object, path: string, ancestors: object[], budget: Budget): () => unknown {
  if (ancestors.includes(value))
    throw new SettingsError({ code: 'CYCLE', path, message: 'The settings contain themselves.' });
  if (ancestors.length >= MAX_LEVELS)
    throw new SettingsError({
      code: 'TOO_DEEP',
      path,
      message: `Settings nesting is limited to ${MAX_LEVELS} levels.`,
    });
  const isArray = Array.isArray(value);
  if ((budget.left -= isArray ? value.length : 1) < 0) throw tooLarge(path);
  // Spreading makes all keys own properties, even `__proto__`.
  const base: Settings = isArray
    ? (Array.from({ length: value.length }, (_, index) => (value as unknown[])[index]) as unknown as Settings)
    : { ...(value as Settings) };
  const nested: [string, () => unknown][] = [];
  ancestors.push(value);
  for (const key of Object.keys(base)) {
    const item = base[key];
    if (!isArray && --budget.left < 0) throw tooLarge(path);
    if (!Array.isArray(item) && !isPlain(item)) continue;
    nested.push([
      key,
      copier(item as object, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, ancestors, budget),
    ]);
  }
  ancestors.pop();
  const copy: () => Settings = isArray
    ? () => (base as unknown as unknown[]).slice() as unknown as Settings
    : () => ({ ...base });
  if (nested.length === 0) return copy;
  return () => {
    const settings = copy();
    for (const [key, copyNested] of nested) settings[key] = copyNested();
    return settings;
  };
}

function tooLarge(path: string): SettingsError {
  return new SettingsError({
    code: 'TOO_LARGE',
    path,
    message: `The settings of a pipeline are limited to ${MAX_VALUES.toLocaleString('en')} values.`,
  });
}

/** Whether an object has the prototype of object literals, from this realm or another, or no prototype. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
