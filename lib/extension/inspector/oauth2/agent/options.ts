/** Describes a service's configuration. Masks secrets before reporting anything. */
import { GETTER, ownValue } from '../../agent/describe/describe-cursor.ts';
import { indexOf, isArray, isFinite, keys, slice } from '../../agent/pristine.ts';
import { includes, isObject } from '../../agent/safe.ts';
import type { ServiceOption } from '../contract.ts';
import type { Mask } from './mask.ts';
import { isLoginSecret, normalize } from '../../../../shared/secrets/secret-names.ts';
import { maskSecret } from '../../../../shared/secrets/secret-text.ts';

const MAX_OPTIONS = 60;
const URL_OPTIONS = ['redirecturl', 'authurl', 'granturl', 'baseurl', 'revokeurl', 'issuer'];
/** Client IDs are long and random, but they aren't secrets. */
const PLAIN_OPTIONS = ['clientid', 'scope', 'granttype'];

/** Describes a configuration's options, and registers its secrets, so that they're masked in all text. */
export function describeOptions(configuration: object, mask: Mask): ServiceOption[] {
  return describeEntries(configuration, mask, 0);
}

function describeEntries(object: object, mask: Mask, depth: number): ServiceOption[] {
  const options: ServiceOption[] = [];
  const names = keys(object);
  for (let i = 0; i < names.length && i < MAX_OPTIONS; i++)
    if (isLoginSecret(names[i]!)) mask.add(ownValue(object, names[i]!));
  for (let i = 0; i < names.length && i < MAX_OPTIONS; i++)
    options[i] = describeOption(names[i]!, ownValue(object, names[i]!), mask, depth);
  return options;
}

/** @param depth 0 for an option, 1 for an entry of an option */
export function describeOption(name: string, value: unknown, mask: Mask, depth: number): ServiceOption {
  const option: ServiceOption = {
    name: mask.word(slice(name, 0, 100)),
    type: 'other',
    value: null,
    secret: isLoginSecret(name),
    masked: null,
    entries: null,
  };
  if (typeof value === 'string') {
    option.type = 'string';
    if (option.secret) option.masked = maskSecret(value);
    else option.value = maskString(name, value, mask);
  } else if (typeof value === 'boolean' || (typeof value === 'number' && isFinite(value))) {
    option.type = typeof value === 'boolean' ? 'boolean' : 'number';
    if (option.secret) option.masked = maskSecret(`${value}`);
    else option.value = value;
  } else if (typeof value === 'function') option.type = 'function';
  else if (isObject(value) && (value as unknown) !== GETTER) {
    option.type = 'object';
    if (depth === 0 && !option.secret) option.entries = describeEntries(value, mask, depth + 1);
  }
  return option;
}

function maskString(name: string, value: string, mask: Mask): string {
  const normalized = normalize(name);
  if (includes(URL_OPTIONS, normalized)) return mask.url(value);
  if (includes(PLAIN_OPTIONS, normalized)) return mask.plain(value);
  return indexOf(value, '://') > 0 && indexOf(value, ' ') < 0 ? mask.url(value) : mask.text(value, 2_000);
}

/** The clear text of a secret option that the user wants to reveal, or null if there is none. */
export function secretAt(configuration: object, path: readonly unknown[]): string | null {
  let value: unknown = configuration;
  for (let i = 0; i < path.length; i++) {
    const name = path[i];
    if (!isObject(value) || typeof name !== 'string' || isArray(value)) return null;
    value = ownValue(value, name);
    if (i === path.length - 1 && !isLoginSecret(name)) return null;
  }
  return typeof value === 'string' ? value : null;
}
