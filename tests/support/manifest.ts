/** The manifest as wxt.config.ts writes it, before WXT adds the entrypoints. */
import type { ConfigEnv, UserManifest } from 'wxt';
import config from '../../wxt.config.ts';

export async function manifestFor(browser: 'chrome' | 'firefox'): Promise<UserManifest> {
  const { manifest } = config;
  const env: ConfigEnv = { mode: 'production', command: 'build', browser, manifestVersion: 3 };
  return typeof manifest === 'function' ? manifest(env) : ((await manifest) ?? {});
}
