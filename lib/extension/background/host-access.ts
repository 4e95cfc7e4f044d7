/** Owns the worker's view of host permissions: whether an address may be asked, and giving up what nothing needs any more. */
import type { Environment } from '../../platform-api/index.ts';
import { CodedError, originPattern } from '../../platform-api/index.ts';

/** The part of `browser.permissions` that is used. */
export interface Permissions {
  contains(wanted: { origins: string[] }): Promise<boolean>;
  remove(unwanted: { origins: string[] }): Promise<boolean>;
}

/** @throws CodedError `HOST_PERMISSION_MISSING` */
export async function needAccess(permissions: Permissions, baseUrl: string): Promise<void> {
  if (await permissions.contains({ origins: [originPattern(baseUrl)] })) return;
  throw new CodedError({
    code: 'HOST_PERMISSION_MISSING',
    message: `The extension has no access to ${new URL(baseUrl).host} yet.`,
    hint: 'Press “Allow access” or “Test connection” on the options page, and say yes when the browser asks.',
  });
}

type Addressed = Pick<Environment, 'baseUrl'>;

/** Gives up the access that environments of `before` needed and none of `after` does. */
export async function dropAccess(
  permissions: Permissions,
  before: readonly Addressed[],
  after: readonly Addressed[],
): Promise<void> {
  const needed = new Set(after.map(({ baseUrl }) => originPattern(baseUrl)));
  const origins = [...new Set(before.map(({ baseUrl }) => originPattern(baseUrl)))].filter(
    (pattern) => !needed.has(pattern),
  );
  if (origins.length === 0) return;
  // What the manifest requires cannot be given up: then it simply stays.
  await permissions.remove({ origins }).catch(() => false);
}
