import { CodedError } from '../../../platform-api/index.ts';
import { type Environment, originPattern } from '../../messaging/model/environment.ts';

/** The subset of `browser.permissions` that this module uses. */
export interface Permissions {
  contains(wanted: { origins: string[] }): Promise<boolean>;
  remove(unwanted: { origins: string[] }): Promise<boolean>;
}

/** @throws CodedError `HOST_PERMISSION_MISSING` */
export async function needAccess(permissions: Permissions, baseUrl: string): Promise<void> {
  if (await permissions.contains({ origins: [originPattern(baseUrl)] })) return;
  throw new CodedError({
    code: 'HOST_PERMISSION_MISSING',
    message: `Couldn’t connect to ${new URL(baseUrl).host}: the browser doesn’t allow this extension access.`,
    hint: 'Choose “Allow access” or “Test connection” in the options, then accept the browser’s prompt.',
  });
}

type HasBaseUrl = Pick<Environment, 'baseUrl'>;

/** Drops host permissions that the environments in `before` needed and those in `after` don’t. */
export async function dropAccess(
  permissions: Permissions,
  before: readonly HasBaseUrl[],
  after: readonly HasBaseUrl[],
): Promise<void> {
  const needed = new Set(after.map(({ baseUrl }) => originPattern(baseUrl)));
  const origins = [...new Set(before.map(({ baseUrl }) => originPattern(baseUrl)))].filter(
    (pattern) => !needed.has(pattern),
  );
  if (origins.length === 0) return;
  // Browsers don’t allow removing permissions that the manifest requires.
  await permissions.remove({ origins }).catch(() => false);
}
