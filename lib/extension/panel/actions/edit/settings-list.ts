/** Lists the settings that a package accepts, and adds missing ones to a step. */
import type { Setting } from '../../../../platform-api/functions/settings.ts';
import { type Fields, isFields } from './draft-value.ts';
import { type KnownSettings, missingSettings, typeText } from './settings-problems.ts';

export interface ListedSetting {
  name: string;
  /** `string, required`, and whether expressions work in it. */
  form: string;
  description: string;
  /** The value to start with. */
  empty: unknown;
  /** `missing` and `empty` settings are required. */
  state: 'set' | 'missing' | 'empty' | 'absent';
}

/** In the package's order. */
export function listedSettings({ settings }: KnownSettings, given: unknown): ListedSetting[] {
  const missing = missingSettings(settings, given);
  return Object.entries(settings).map(([name, setting]) => ({
    name,
    form: formOf(setting),
    description: setting.description,
    empty: emptyValue(setting),
    state: stateOf(isSet(given, name), missing.includes(name)),
  }));
}

function stateOf(isSetting: boolean, isMissing: boolean): ListedSetting['state'] {
  if (isMissing) return isSetting ? 'empty' : 'missing';
  return isSetting ? 'set' : 'absent';
}

function formOf(setting: Setting): string {
  const need = setting.required ? (setting.unless ? `required without ${setting.unless}` : 'required') : 'optional';
  return [typeText(setting).replace(/^an? /, ''), need, ...(setting.templates ? ['{{expressions}}'] : [])].join(', ');
}

const isSet = (given: unknown, name: string): boolean => isFields(given) && Object.hasOwn(given, name);

/** The step's settings with an empty value for each of these names that they don't have. Null if they aren't an object. */
export function withSettings({ settings }: KnownSettings, given: unknown, names: readonly string[]): Fields | null {
  const old = given ?? {};
  if (!isFields(old)) return null;
  const added = names.filter((name) => !Object.hasOwn(old, name) && Object.hasOwn(settings, name));
  return { ...old, ...Object.fromEntries(added.map((name) => [name, emptyValue(settings[name]!)])) };
}

function emptyValue({ type: [type = 'any'], minimum = 0 }: Setting): unknown {
  const empty = { string: '', number: minimum, integer: minimum, boolean: false, object: {}, array: [], any: null };
  return empty[type];
}
