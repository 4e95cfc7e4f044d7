/** Which environments a page belongs to, by its URL. */
import { type Environment, hasPage } from '../../../messaging/model/environment.ts';
import { debugTargetOf } from '../debug-target.ts';

/** Of several environments with this URL, prefers one that is production. Null if there is none. */
export function environmentAt(url: string, environments: readonly Environment[]): Environment | null {
  const found = environmentsAt(url, environments);
  return found.find(({ production }) => production) ?? found[0] ?? null;
}

/** Whether the page belongs to other platforms only. Apps and actions there can have the same IDs. */
export function isElsewhere(url: string, { baseUrl }: Environment, environments: readonly Environment[]): boolean {
  const found = environmentsAt(url, environments);
  return found.length > 0 && found.every((one) => one.baseUrl !== baseUrl);
}

function environmentsAt(url: string, environments: readonly Environment[]): Environment[] {
  // A platform can serve the debug page at another URL.
  const origin = URL.canParse(url) ? new URL(url).origin : null;
  const ways: ((one: Environment) => boolean)[] = [
    (one) => debugTargetOf(url, [one]) !== null,
    (one) => hasPage(one, url),
    ({ baseUrl, pageUrls = [] }) => [baseUrl, ...pageUrls].some((start) => new URL(start).origin === origin),
  ];
  for (const belongs of ways) {
    const found = environments.filter(belongs);
    if (found.length > 0) return found;
  }
  return [];
}
