/** What `import … from 'platform-devtools'` offers: the local platform, for the tests of an app. */
import type { Platform, PlatformOptions } from '../local-platform/options.ts';
import { StartProblem } from '../local-platform/problem.ts';

export type { Limits, OAuthDemo, Platform, PlatformOptions } from '../local-platform/options.ts';
export type { StoredEffect } from '../local-platform/effects.ts';
export type { NetworkRequest, NetworkResponse, SendToNetwork } from '../local-platform/network.ts';
export { StartProblem };

/**
 * Starts a local platform with demo apps in this process. It stays until `close()`. In a test, use `port: 0`, which
 * picks a free port, so that two tests don’t disturb each other.
 *
 * ```ts
 * const platform = await startPlatform({ port: 0 });
 * const response = await fetch(`${platform.baseUrl}/v1/apps`, { headers: { 'Auth-token': platform.authToken } });
 * await platform.close();
 * ```
 *
 * @throws StartProblem, whose `hint` says what to do: the port is taken, the data folder is in use or damaged, there is
 *   no functions folder, or Node is too old
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  if (Number.parseInt(process.versions.node) < 24)
    throw new StartProblem(
      `Platform DevTools needs Node 24 or later. This is Node ${process.versions.node}.`,
      'Update Node.',
    );
  const platform = await import('../local-platform/index.ts');
  return platform.startPlatform(options);
}
