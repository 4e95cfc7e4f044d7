/** Finds where a replay’s context has an object, without reading the whole context for each call. */
import type { Context } from '../../../pipeline/index.ts';
import { escapeToken } from '../../../shared/json-pointer.ts';
import type { RecordedChange } from '../../recording/context-changes.ts';
import { objectAt } from '../apply-changes.ts';

interface Root {
  value: unknown;
  /** JSON Pointers. */
  places: ReadonlyMap<object, string>;
}

export class ContextPlaces {
  /** By name in the context. */
  readonly #roots = new Map<string, Root>();

  /** Must be called with each change that a replay makes. New values of names are also seen without. */
  changed(changes: readonly RecordedChange[]): void {
    const hasNewObject = changes.some(([path, value]) => path.includes('/', 1) && typeof value === 'object');
    if (hasNewObject) this.#roots.clear();
  }

  /** The first place of an object, other than at these names. */
  of(object: object, context: Context, except: ReadonlySet<string>): string | undefined {
    const found = this.#find(object, context, except);
    if (found === undefined || objectAt(context, found) === object) return found;
    // It was replaced there, maybe through another name of what it’s in.
    this.#roots.clear();
    return this.#find(object, context, except);
  }

  #find(object: object, context: Context, except: ReadonlySet<string>): string | undefined {
    for (const name of Object.keys(context)) {
      const place = except.has(name) ? undefined : this.#placesAt(name, context).get(object);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  #placesAt(name: string, context: Context): Root['places'] {
    const value: unknown = Object.getOwnPropertyDescriptor(context, name)?.value;
    const known = this.#roots.get(name);
    if (known && known.value === value) return known.places;
    const places = placesIn(value, `/${escapeToken(name)}`);
    this.#roots.set(name, { value, places });
    return places;
  }
}

function placesIn(value: unknown, path: string, places = new Map<object, string>()): Map<object, string> {
  if (typeof value !== 'object' || value === null || places.has(value)) return places;
  places.set(value, path);
  // Values that were lost have accessors that throw.
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value)))
    placesIn(property.value, `${path}/${escapeToken(key)}`, places);
  return places;
}
