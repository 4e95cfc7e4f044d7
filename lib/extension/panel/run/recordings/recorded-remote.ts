/** Turns values that a page has described into recorded values. What was cut is lost, so that nothing depends on it. */
import { lost, type LossReason, type RecordedValue } from '../../../../debugging/recording/values.ts';
import { MASK } from '../../../../shared/secrets/known-secrets.ts';
import { escapeToken } from '../../../../shared/json-pointer.ts';
import type { RemoteValue } from '../../../inspector/contract.ts';
import { recordedScalar } from '../../../inspector/run/recorded-of.ts';
import { previewOf } from '../../shared/remote-value.ts';

export class RemoteRecorder {
  /** How many values are lost. */
  lost = 0;
  /** The values in the context that are lost now. */
  readonly #lostAt = new LostPlace();

  /** A value of the context, or of nothing if there is no path. */
  value(value: RemoteValue, path?: string): RecordedValue {
    const scalar = recordedScalar(value);
    if (scalar !== undefined) return typeof scalar === 'string' ? this.text(scalar, path) : scalar;
    switch (value.t) {
      case 'string':
        return this.#lose('too-large', value.v, path);
      case 'array':
        if (value.items.length < value.length) return this.#lose('too-large', previewOf(value), path);
        return value.items.map((item, index) => this.value(item, inside(path, index)));
      case 'object':
        return this.#object(value, path);
      case 'cycle':
        return this.#lose('cycle', undefined, path);
      case 'unreadable':
        return this.#lose('unreadable', value.message, path);
      default:
        return this.#lose('not-data', previewOf(value), path);
    }
  }

  text(text: string, path?: string): RecordedValue {
    return text.includes(MASK) ? this.#lose('masked', text, path) : text;
  }

  /** A value that is known as a whole. */
  json(value: unknown, path: string): RecordedValue {
    if (typeof value === 'string') return this.text(value, path);
    if (typeof value !== 'object' || value === null) return value as RecordedValue;
    if (Array.isArray(value)) return value.map((item, index) => this.json(item, inside(path, index)!));
    const entries = Object.entries(value).map(([name, item]): [string, RecordedValue] => [
      name,
      this.json(item, inside(path, name)!),
    ]);
    return fields(entries);
  }

  /** Whether a value around this place is lost, so that a change here has no effect. */
  isInsideOfLost(path: string): boolean {
    let place: LostPlace | undefined = this.#lostAt;
    for (const token of tokensOf(path).slice(0, -1)) {
      place = place.inside.get(token);
      if (!place || place.isLost) return place !== undefined;
    }
    return false;
  }

  /** The value at this place is about to be replaced. */
  forget(path: string): void {
    const tokens = tokensOf(path);
    const last = tokens.pop();
    let place: LostPlace | undefined = this.#lostAt;
    for (const token of tokens) place = place?.inside.get(token);
    if (last !== undefined) place?.inside.delete(last);
  }

  lose(path: string): RecordedValue {
    return this.#lose('time-unknown', undefined, path);
  }

  #object(value: Extract<RemoteValue, { t: 'object' }>, path?: string): RecordedValue {
    if (value.name !== undefined) return this.#lose('not-data', previewOf(value), path);
    if (value.entries.length < value.size) return this.#lose('too-large', previewOf(value), path);
    return fields(value.entries.map(([name, item]) => [name, this.value(item, inside(path, name))]));
  }

  #lose(reason: LossReason, text: string | undefined, path: string | undefined): RecordedValue {
    this.lost++;
    if (path !== undefined) this.#placeAt(path).isLost = true;
    return lost(reason, text);
  }

  #placeAt(path: string): LostPlace {
    let place = this.#lostAt;
    for (const token of tokensOf(path)) {
      const inner = place.inside.get(token) ?? new LostPlace();
      place.inside.set(token, inner);
      place = inner;
    }
    return place;
  }
}

class LostPlace {
  isLost = false;
  readonly inside = new Map<string, LostPlace>();
}

/** Without the slashes. They stay escaped. */
const tokensOf = (path: string): string[] => path.split('/').slice(1);

const inside = (path: string | undefined, key: string | number): string | undefined =>
  path === undefined ? undefined : `${path}/${escapeToken(key)}`;

/** Defines own properties, even `__proto__`. */
const fields = (entries: [string, RecordedValue][]): RecordedValue =>
  entries.some(([name]) => name === '$') ? { $: 'entries', value: entries } : Object.fromEntries(entries);
