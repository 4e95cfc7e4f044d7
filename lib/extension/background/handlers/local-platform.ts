/** Finds the local platform on this computer. */
import { CodedError } from '../../../platform-api/index.ts';
import { readHead } from '../../../rest/body.ts';
import { needAccess, type Permissions } from './host-access.ts';

/** In seconds. */
const TIME_LIMIT = 3;

/** The first is the one that the platform prints. */
const HOSTS = ['localhost', '127.0.0.1'];

/** @throws CodedError `LOCAL_PLATFORM_NOT_FOUND`, `HOST_PERMISSION_MISSING` */
export async function findLocalPlatform(permissions: Permissions, port: number): Promise<{ baseUrl: string }> {
  const baseUrls = HOSTS.map((host) => `http://${host}:${port}`);
  for (const baseUrl of baseUrls) await needAccess(permissions, baseUrl);
  const found = await Promise.all(baseUrls.map(isPlatform));
  const baseUrl = baseUrls.find((_, index) => found[index]);
  if (baseUrl !== undefined) return { baseUrl };
  throw new CodedError({
    code: 'LOCAL_PLATFORM_NOT_FOUND',
    message: `Couldn’t find the local platform: no local platform responded on port ${port} within ${TIME_LIMIT} seconds.`,
    hint: 'Start it with npx platform-devtools platform in the project’s folder, then try again.',
  });
}

/** A platform refuses to list apps without a token, and says so. No token is sent. */
async function isPlatform(baseUrl: string): Promise<boolean> {
  const signal = AbortSignal.timeout(TIME_LIMIT * 1000);
  const request = { credentials: 'omit', redirect: 'manual', cache: 'no-store', signal } as const;
  try {
    const response = await fetch(`${baseUrl}/v1/apps`, request);
    return response.status === 401 && (await readHead(response, 1024)).includes('"TOKEN_MISSING"');
  } catch {
    return false;
  }
}
