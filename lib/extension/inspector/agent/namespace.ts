/**
 * Reads the page's namespace as its own scripts do: a `const`, `let`, or class of a classic script isn't a property of
 * the window. Only a script whose text has the name can read it, so the panel hands the agent a function.
 */
import { listen, MapOf, mapGet, mapSet, observeNodes, onScriptLoad } from './pristine.ts';
import { attempt, bareList, isObject, readProperty } from './safe.ts';
import { documentState } from './watch.ts';

type LookUp = () => unknown;

const lookUps = new MapOf<string, LookUp>();
/** Called when a name might have been declared. */
const checks = bareList<() => void>();
let isChecking = false;

/** `lookUp` throws until the page has declared the name. */
export function setLookUp(namespace: string, lookUp: LookUp): void {
  mapSet(lookUps, namespace, lookUp);
  runChecks();
}

/** Undefined if the page doesn't declare the name, or declares it as a property of the window only. */
const declared = (namespace: string): unknown => {
  const lookUp = mapGet(lookUps, namespace);
  return lookUp && attempt(lookUp);
};

/** Throws what a getter of the window throws. */
export function readNamespace(namespace: string): unknown {
  return declared(namespace) ?? (globalThis as unknown as Record<string, unknown>)[namespace];
}

/**
 * Calls `then` with the object that the page declares. A declaration can't be watched, so this checks before and after
 * each script while the page loads. Properties of the window are left to `whenever` and `whenSet`.
 */
export function whenDeclared(namespace: string, then: (value: object) => void): void {
  let known: unknown;
  const check = (): void => {
    const value = declared(namespace);
    if (value === known || !isObject(value)) return;
    known = value;
    if (readProperty(globalThis, namespace) !== value) then(value);
  };
  checks[checks.length] = check;
  check();
  if (!isChecking && documentState() !== 'complete') checkWhileLoading();
}

function checkWhileLoading(): void {
  isChecking = true;
  const stop = attempt(() => observeNodes(runChecks));
  attempt(() => onScriptLoad(runChecks));
  const end = (): void => {
    runChecks();
    stop?.();
  };
  listen?.(globalThis, 'load', end, { __proto__: null, once: true } as object);
}

function runChecks(): void {
  for (let i = 0; i < checks.length; i++) attempt(checks[i]!);
}
