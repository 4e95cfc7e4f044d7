/** Knows which names JavaScript finds on prototypes, where the conditions of V2 don’t look. */
import { isReadableGetter, type MethodKind } from '../../pipeline/syntax.ts';

const PROTOTYPES: Readonly<Record<MethodKind | 'object', object>> = {
  string: String.prototype,
  number: Number.prototype,
  boolean: Boolean.prototype,
  array: Array.prototype,
  date: Date.prototype,
  regexp: RegExp.prototype,
  object: Object.prototype,
};

// `length` is a value’s own property wherever data has it. Conditions read some getters, too.
const INHERITED: ReadonlySet<string> = new Set(
  Object.values(PROTOTYPES)
    .flatMap((prototype) => Object.getOwnPropertyNames(prototype))
    .filter((name) => name !== 'length' && !isReadableGetter(name)),
);

/** Whether reading the member could find something that isn’t the value’s own. */
export const isInherited = (name: string | number): boolean => typeof name === 'string' && INHERITED.has(name);

/** Whether the context could seem to have this property without having it. */
export const isInheritedByObjects = (name: string): boolean => name in Object.prototype;

/** The kinds of values on which JavaScript has this method. */
export function kindsInJavaScript(name: string): (MethodKind | 'object')[] {
  const kinds = Object.keys(PROTOTYPES) as (keyof typeof PROTOTYPES)[];
  return name in Object.prototype ? kinds : kinds.filter((kind) => Object.hasOwn(PROTOTYPES[kind], name));
}
