/**
 * Freezes what all scripts of a context share: its globals, and the language’s own objects. So none can change what
 * another one does, or leave something for it.
 */

type Any = object | ((...args: never[]) => unknown);

/** @param others objects that scripts get, whose classes aren’t globals */
export function freezeShared(...others: readonly Any[]): void {
  // Keep the last match of any script, as `RegExp.$1` does.
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(RegExp)))
    if (get) Reflect.deleteProperty(RegExp, name);
  for (const prototype of [Object.prototype, Function.prototype, ...errorPrototypes()]) keepAssignable(prototype);
  // The functions of an error’s own `stack` are the same for all errors.
  const found = new Set<Any>([globalThis, new Error(), ...hidden(), ...others]);
  for (const each of found) {
    for (const key of Reflect.ownKeys(each)) {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(each, key)!;
      for (const part of [value, get, set] as unknown[]) if (isObject(part)) found.add(part);
    }
    const prototype = Reflect.getPrototypeOf(each);
    if (prototype) found.add(prototype);
  }
  for (const each of found) Object.freeze(each);
}

const isObject = (value: unknown): value is Any =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);

function errorPrototypes(): object[] {
  const globals = Object.values(Object.getOwnPropertyDescriptors(globalThis)) as { value?: { prototype?: unknown } }[];
  const prototypes = globals.map(({ value }) => value?.prototype);
  return prototypes.filter((each): each is Error => each === Error.prototype || each instanceof Error);
}

/** Of ES2025. */
const { Iterator } = globalThis as unknown as {
  Iterator: { from(value: object): { map(call: () => unknown): object } };
};

/** Leads to the language’s objects that no global has. */
const hidden = (): Any[] => [
  async () => undefined,
  function* () {},
  async function* () {},
  Iterator.from([]).map(() => undefined),
  Iterator.from({ next: () => undefined }),
  [].values(),
  new Map().values(),
  new Set().values(),
  ''[Symbol.iterator](),
  ''.matchAll(/x/g),
  new Intl.Segmenter().segment(''),
  new Intl.Segmenter().segment('')[Symbol.iterator](),
];

/** Lets objects still get an own `name` or `toString` by assignment, which a frozen prototype would prevent. */
function keepAssignable(prototype: object): void {
  for (const key of Reflect.ownKeys(prototype)) {
    const { configurable, value, ...property } = Reflect.getOwnPropertyDescriptor(prototype, key)!;
    if (!configurable || property.get || property.set) continue;
    Object.defineProperty(prototype, key, {
      get: () => value as unknown,
      set(this: object, own: unknown) {
        if (this !== prototype)
          Object.defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}
