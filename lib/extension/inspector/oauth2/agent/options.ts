/** Owns the description of a service's configuration: what is secret is masked before it is told. */
import { GETTER, ownValue } from '../../agent/describe-cursor.ts';
import { indexOf, isArray, isFinite, keys, slice } from '../../agent/pristine.ts';
import { isObject } from '../../agent/safe.ts';
import type { ServiceOption } from '../contract.ts';
import type { Mask } from './mask.ts';
import { isSensitive, maskOf, normalized } from './secrets.ts';

const MOST_OPTIONS = 60;
const ADDRESSES = ['redirecturl', 'authurl', 'granturl', 'baseurl', 'revokeurl', 'issuer'];

/** The options of a configuration; its secrets are never told again, wherever they stand. */
export function describeOptions(configuration: object, mask: Mask): ServiceOption[] {
  return entriesOf(configuration, mask, 0);
}

function entriesOf(object: object, mask: Mask, depth: number): ServiceOption[] {
  const told: ServiceOption[] = [];
  const names = keys(object);
  for (let i = 0; i < names.length && i < MOST_OPTIONS; i++)
    if (isSecretOption(names[i]!)) mask.add(ownValue(object, names[i]!));
  for (let i = 0; i < names.length && i < MOST_OPTIONS; i++)
    told[i] = describeOption(names[i]!, ownValue(object, names[i]!), mask, depth);
  return told;
}

/** @param depth 0 for an option itself */
export function describeOption(name: string, value: unknown, mask: Mask, depth: number): ServiceOption {
  const option: ServiceOption = {
    name: mask.word(slice(name, 0, 100)),
    type: 'other',
    value: null,
    secret: isSecretOption(name),
    masked: null,
    entries: null,
  };
  if (typeof value === 'string') {
    option.type = 'string';
    if (option.secret) option.masked = maskOf(value);
    else option.value = textOf(name, value, mask);
  } else if (typeof value === 'boolean' || (typeof value === 'number' && isFinite(value))) {
    option.type = typeof value === 'boolean' ? 'boolean' : 'number';
    if (option.secret) option.masked = maskOf(`${value}`);
    else option.value = value;
  } else if (typeof value === 'function') option.type = 'function';
  else if (isObject(value) && (value as unknown) !== GETTER) {
    option.type = 'object';
    if (depth === 0 && !option.secret) option.entries = entriesOf(value, mask, depth + 1);
  }
  return option;
}

function textOf(name: string, value: string, mask: Mask): string {
  const bare = normalized(name);
  for (let i = 0; i < ADDRESSES.length; i++) if (bare === ADDRESSES[i]) return mask.url(value);
  // An id is long and random, and no secret.
  if (bare === 'clientid' || bare === 'scope' || bare === 'granttype') return mask.plain(value);
  return indexOf(value, '://') > 0 && indexOf(value, ' ') < 0 ? mask.url(value) : mask.text(value, 2_000);
}

/** Of an option; a configured `state` is worth as much as a secret as long as a login lasts. */
function isSecretOption(name: string): boolean {
  const bare = normalized(name);
  return bare === 'state' || bare === 'nonce' || bare === 'code' || isSensitive(name);
}

/** The clear text of a secret option, on a person's word; null when there is none. */
export function secretAt(configuration: object, path: readonly unknown[]): string | null {
  let value: unknown = configuration;
  for (let i = 0; i < path.length; i++) {
    const name = path[i];
    if (!isObject(value) || typeof name !== 'string' || isArray(value)) return null;
    value = ownValue(value, name);
    if (i === path.length - 1 && !isSecretOption(name)) return null;
  }
  return typeof value === 'string' ? value : null;
}
