/** Reads the document properties that matter to logins: its origin, policies in its markup, and access to storage. */
import { apply, elementAttribute, optionalGetter, optionalMethod, toLowerCase } from '../../agent/pristine.ts';
import { attempt } from '../../agent/safe.ts';
import type { Mask } from './mask.ts';

const MAX_POLICIES = 5;
const page = document;
const elementsByTagName = optionalMethod<(self: object, name: string) => { length: number; [index: number]: object }>(
  globalThis.Document,
  'getElementsByTagName',
);
const readStorage = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')?.get;
const locationOrigin = optionalGetter<string>(globalThis.Location, 'origin');

export function origin(): string {
  return locationOrigin ? locationOrigin(location) : location.origin;
}

/** The Content-Security-Policies in `meta` elements. */
export function metaPolicies(mask: Mask): string[] {
  const policies: string[] = [];
  attempt(() => {
    const metas = elementsByTagName!(page, 'meta');
    for (let i = 0; i < metas.length && i < 200 && policies.length < MAX_POLICIES; i++) {
      const name = elementAttribute!(metas[i]!, 'http-equiv') ?? '';
      if (toLowerCase(name) === 'content-security-policy')
        policies[policies.length] = mask.plain(elementAttribute!(metas[i]!, 'content') ?? '', 2_000);
    }
  });
  return policies;
}

/** If the browser blocks storage, reading the property throws. */
export function storageState(): 'available' | 'blocked' {
  const storage: unknown = attempt(() => (readStorage ? apply(readStorage, globalThis, []) : globalThis.localStorage));
  return storage ? 'available' : 'blocked';
}
