/** Which proxy requests go through. */
import http from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CliContext } from '../../../../lib/cli/command/context.ts';
import { proxyOf, useProxy } from '../../../../lib/cli/command/proxy.ts';
import { testHost } from '../../../support/run-cli.ts';

const URL = 'https://api.example.com';
const PROXY = 'http://proxy.example.com:8080';

it.each([
  [{}, null],
  [{ HTTPS_PROXY: '' }, null],
  [{ HTTPS_PROXY: PROXY }, 'HTTPS_PROXY'],
  [{ HTTP_PROXY: PROXY }, 'HTTP_PROXY'],
  [{ HTTP_PROXY: 'http://other', https_proxy: PROXY, HTTPS_PROXY: 'http://other' }, 'https_proxy'],
  [{ HTTPS_PROXY: 'proxy.example.com:8080' }, 'HTTPS_PROXY'],
])('%j names the proxy in %s', (env, name) => {
  expect(proxyOf(env)).toEqual(name && { name, url: PROXY, isUsed: true });
});

it.each(['socks5://u:s3cret@proxy', 'http://', 'ftp://proxy', 'http://u:100%@proxy'])(
  '%s isn’t the URL of a proxy',
  (HTTPS_PROXY) => {
    expect(() => proxyOf({ HTTPS_PROXY })).toThrow(/^HTTPS_PROXY isn’t the URL of a proxy\.$/);
  },
);

it.each([
  [undefined, 'localhost,127.0.0.1'],
  ['internal.example.com', 'localhost,127.0.0.1,internal.example.com'],
  ['*', '*'],
])('leaves out this machine, and the hosts in NO_PROXY=%s', (NO_PROXY, no_proxy) => {
  const set = vi.spyOn(http, 'setGlobalProxyFromEnv').mockReturnValue(() => {});
  onTestFinished(() => set.mockRestore());
  useProxy(proxyOf({ HTTPS_PROXY: PROXY })!, { NO_PROXY });
  expect(set).toHaveBeenCalledExactlyOnceWith({ https_proxy: PROXY, no_proxy });
});

it('a Node that can’t use it says so once, and names the variable with which it can', async () => {
  const { setGlobalProxyFromEnv } = http;
  Object.assign(http, { setGlobalProxyFromEnv: undefined });
  onTestFinished(() => void Object.assign(http, { setGlobalProxyFromEnv }));
  const warnings: string[] = [];
  const host = testHost({ env: { HTTPS_PROXY: PROXY }, error: (text) => void warnings.push(text) });
  const context = new CliContext(host, { url: URL });
  await context.environment();
  await context.environment();
  expect(warnings).toEqual([
    'Warning: This Node doesn’t use HTTPS_PROXY. Update Node to 24.14 or later, or set NODE_USE_ENV_PROXY=1.\n',
  ]);
  expect(proxyOf({ HTTPS_PROXY: PROXY, NODE_USE_ENV_PROXY: '1' })!.isUsed).toBe(true);
});

it('uses none any longer when the command has ended', async () => {
  const restore = vi.fn();
  const set = vi.spyOn(http, 'setGlobalProxyFromEnv').mockReturnValue(restore);
  onTestFinished(() => set.mockRestore());
  const context = new CliContext(testHost({ env: { HTTPS_PROXY: PROXY } }), { url: URL });
  await context.environment();
  expect(restore).not.toHaveBeenCalled();
  context.close();
  expect(restore).toHaveBeenCalledOnce();
});
