/** Masks secrets in what is stored of a run beside its recording: its record, and its events with their cut values. */
import { parsePointer } from '../../../../shared/json-pointer.ts';
import { maskCredentials } from '../../../../shared/secrets/credentials.ts';
import { MASK } from '../../../../shared/secrets/known-secrets.ts';
import {
  canBeSecret,
  hasNamedSecret,
  isNameOfName,
  isNameOfValue,
  isSecretName,
} from '../../../../shared/secrets/secret-names.ts';
import type { RunRecord } from '../history/run-store.ts';
import type { MaskText } from './run-mask.ts';

type Fields = Record<string, unknown>;

/** Texts that the extension itself has written. */
const OWN = new Set(['kind', 't', 'id', 'runId', 'subject', 'madeFrom', 'state', 'origin', 'engine', 'tracing']);
const HIDDEN = { t: 'string', v: MASK, length: MASK.length };

/** The same data if it has no secret. */
export function maskData<T>(data: T, known: MaskText): T {
  return new DataMask(known).value(data) as T;
}

/** A run's payload is JSON, unless it was typed otherwise. */
export function maskRecord(record: RunRecord, known: MaskText): RunRecord {
  let payload: unknown;
  try {
    payload = JSON.parse(record.payload);
  } catch {
    return maskData(record, known);
  }
  const masked = maskData(payload, known);
  const { payload: text, ...rest } = record;
  return { ...maskData(rest, known), payload: masked === payload ? text : JSON.stringify(masked, null, 2) };
}

export class DataMask {
  readonly #known: MaskText;
  /** The masked settings of steps, which all events of a step share. */
  readonly #settings = new WeakMap<object, unknown>();

  constructor(known: MaskText) {
    this.#known = known;
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.#known(maskCredentials(value));
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return this.#items(value);
    const { t, v, path } = value as Fields;
    if (t === 'string' && typeof v === 'string') return this.#string(value, v);
    const secret = typeof path === 'string' ? parsePointer(path).find(isSecretName) : undefined;
    return this.#fields(value as Fields, secret);
  }

  #field(name: string, value: unknown): unknown {
    if (name !== 'settings' || typeof value !== 'object' || value === null) return this.value(value);
    if (!this.#settings.has(value)) this.#settings.set(value, this.value(value));
    return this.#settings.get(value);
  }

  /** Without its handle: the page has the unmasked text. */
  #string(described: object, text: string): unknown {
    const masked = this.value(text) as string;
    return masked === text ? described : { t: 'string', v: masked, length: masked.length };
  }

  #items(items: readonly unknown[]): unknown[] {
    const isNamed = items.some((item) => {
      const [name, value] = pairOf(item) ?? [];
      return name !== undefined && isNameOfName(name) && isSecretName(textOf(value) ?? '');
    });
    const masked = items.map((item) => this.#item(item, isNamed));
    return masked.some((item, index) => item !== items[index]) ? masked : (items as unknown[]);
  }

  /** @param isNamed whether another item of the list gives the name of a secret, which is this one’s value */
  #item(item: unknown, isNamed: boolean): unknown {
    const [name, value] = pairOf(item) ?? [];
    if (name === undefined || !(isSecretName(name) || (isNamed && isNameOfValue(name)))) return this.value(item);
    const pair = [this.#known(name), hidden(value, name)];
    if (Array.isArray(item)) return pair[0] === name && pair[1] === value ? item : pair;
    return { ...(item as Fields), items: [this.value({ t: 'string', v: name, length: name.length }), pair[1]] };
  }

  /** @param changed the name of the secret that has changed, from `before` to `after` */
  #fields(fields: Fields, changed: string | undefined): unknown {
    let copy: [string, unknown][] | null = null;
    const names = Object.keys(fields);
    // Not of an event, whose name and value have nothing to do with each other.
    const isNamed = typeof fields.value === 'string' && hasNamedSecret(Object.entries(fields));
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      const value = fields[name];
      const isSecret = isSecretName(name) || (isNamed && isNameOfValue(name));
      const secret = isSecret ? name : name === 'before' || name === 'after' ? changed : undefined;
      const masked = secret !== undefined ? hidden(value, secret) : OWN.has(name) ? value : this.#field(name, value);
      const maskedName = this.#known(name);
      if (masked === value && maskedName === name) continue;
      (copy ??= Object.entries(fields))[index] = [maskedName, masked];
    }
    return copy === null ? fields : Object.fromEntries(copy);
  }
}

/** A secret with this name, unless it can’t be one. */
function hidden(value: unknown, name: string): unknown {
  const { t, v } = Object(value) as { t?: unknown; v?: unknown };
  if (typeof t !== 'string') return canBeSecret(value, name) ? MASK : value;
  const isSimple = t === 'string' || t === 'number';
  return t === 'undefined' || t === 'null' || t === 'boolean' || (isSimple && !canBeSecret(v, name)) ? value : HIDDEN;
}

/** A name and a value: a header, a described object’s entry, or a described array of two. */
function pairOf(item: unknown): [name: string, value: unknown] | null {
  const described = Array.isArray(item) || typeof item !== 'object' || item === null ? null : (item as Fields);
  const items = described?.t === 'array' ? described.items : item;
  if (!Array.isArray(items) || items.length !== 2 || (described && described.length !== 2)) return null;
  const name = textOf(items[0]);
  return name === null ? null : [name, items[1]];
}

/** The text of a string, which can be described; null for all else. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const { t, v } = Object(value) as Fields;
  return t === 'string' && typeof v === 'string' ? v : null;
}
