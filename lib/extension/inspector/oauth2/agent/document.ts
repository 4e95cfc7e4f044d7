/** Owns what the document itself says that matters to logins: its origin, policies in its markup, whether it may store. */
import { optionalGetter, optionalMethod, toLowerCase } from '../../agent/pristine.ts';
import { attempt } from '../../agent/safe.ts';
import type { Mask } from './mask.ts';

const MOST_POLICIES = 5;
const page = document;
const metas = optionalMethod<(self: object, name: string) => { length: number; [index: number]: object }>(
  globalThis.Document,
  'getElementsByTagName',
);
const attribute = optionalMethod<(self: object, name: string) => string | null>(globalThis.Element, 'getAttribute');
const storageOf = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')?.get;
const { apply } = Reflect;
const locationOrigin = optionalGetter<string>(globalThis.Location, 'origin');

export function origin(): string {
  return locationOrigin ? locationOrigin(location) : location.origin;
}

/** Content-Security-Policies in `meta` elements. */
export function metaPolicies(mask: Mask): string[] {
  const told: string[] = [];
  attempt(() => {
    const found = metas!(page, 'meta');
    for (let i = 0; i < found.length && i < 200 && told.length < MOST_POLICIES; i++) {
      if (toLowerCase(attribute!(found[i]!, 'http-equiv') ?? '') !== 'content-security-policy') continue;
      told[told.length] = mask.plain(attribute!(found[i]!, 'content') ?? '', 2_000);
    }
  });
  return told;
}

/** Reading the property alone throws where the browser blocks storage. */
export function storageState(): 'available' | 'blocked' {
  try {
    const storage: unknown = storageOf ? apply(storageOf, globalThis, []) : globalThis.localStorage;
    return storage ? 'available' : 'blocked';
  } catch {
    return 'blocked';
  }
}
