/** Defines the properties that conditions can read although values inherit them: getters of the language and the platform. */

const { getPrototypeOf, getOwnPropertyDescriptor } = Object;

/** Names by constructor. Each gives a primitive, and changes nothing. */
const NAMES: Readonly<Record<string, string>> = {
  Map: 'size',
  Set: 'size',
  RegExp: 'source flags global ignoreCase multiline dotAll unicode unicodeSets sticky hasIndices',
  Symbol: 'description',
  TypedArray: 'length byteLength byteOffset',
  ArrayBuffer: 'byteLength',
  SharedArrayBuffer: 'byteLength',
  DataView: 'byteLength byteOffset',
  URLSearchParams: 'size',
  URL: 'href origin protocol username password host hostname port pathname search hash',
  DOMException: 'name message code',
  Blob: 'size type',
  File: 'name lastModified webkitRelativePath',
  Request: 'url method bodyUsed',
  Response: 'url status statusText ok redirected type bodyUsed',
  // Only Firefox has it.
  Error: 'stack',
};
const GETTERS = Object.entries(NAMES).map(([constructor, names]) => ({ constructor, names: names.split(' ') }));
/** Data properties that errors inherit from their classes. */
const OF_ERRORS: ReadonlySet<string> = new Set(['name', 'message']);

/** Whether conditions read this property also where it’s inherited. */
export const isReadableGetter = (name: string): boolean =>
  OF_ERRORS.has(name) || GETTERS.some(({ names }) => names.includes(name));

/** Looked up only now, because Node loads some of its globals when they are first read. */
function prototypeOf(constructor: string): object {
  if (constructor === 'TypedArray') return getPrototypeOf(Uint8Array.prototype) as object;
  return (Reflect.get(globalThis, constructor) as { prototype: object } | undefined)?.prototype ?? {};
}

const isReadable = (getter: unknown, name: string): boolean =>
  GETTERS.some(
    ({ constructor, names }) =>
      names.includes(name) && getOwnPropertyDescriptor(prototypeOf(constructor), name)?.get === getter,
  );

/**
 * Reads a property that isn’t the value’s own. Undefined for functions, and for what all objects inherit.
 * @throws TypeError for any other property that’s inherited
 */
export function inheritedProperty(value: object, key: string | number): unknown {
  if (!(key in value)) return undefined;
  let holder = getPrototypeOf(value) as object | null;
  for (let next: object | null; holder !== null; holder = next) {
    next = getPrototypeOf(holder) as object | null;
    // The last one is Object.prototype.
    const property = next === null ? undefined : getOwnPropertyDescriptor(holder, key);
    if (property) return valueOf(property, value, String(key));
  }
  return undefined;
}

function valueOf({ get, value }: PropertyDescriptor, object: object, name: string): unknown {
  if (get && isReadable(get, name)) {
    // This getter itself reads other properties, which can run other getters.
    return name === 'flags' ? new RegExp(object as RegExp).flags : (Reflect.apply(get, object, []) as unknown);
  }
  if (!get && (value === undefined || typeof value === 'function')) return undefined;
  if (!get && OF_ERRORS.has(name) && isError(object)) return value;
  throw new TypeError(`Conditions can’t read “${name}”, which the object inherits from its class.`);
}

const isError = (value: object): boolean =>
  (Error as { isError?: (value: unknown) => boolean }).isError?.(value) ?? value instanceof Error;
