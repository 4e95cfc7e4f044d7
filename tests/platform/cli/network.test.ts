/** What lies between the commands and a platform: certificates, proxies, and servers that speak something else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CERTIFICATE, portOf, startProxy, startTlsPlatform } from '../../support/servers/tls-platform.ts';
import { type Ran, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../support/platform.ts';

const TOKEN = 'the-token-of-this-test';

const apps = (url: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  runCli(['apps', '--url', url], { env: { PLATFORM_TOKEN: TOKEN, ...env } });

async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

it('names the variable for a certificate that Node doesn’t trust', async () => {
  const url = `https://localhost:${await startTlsPlatform()}`;
  expect(await apps(url)).toEqual({
    code: 69,
    out: '',
    error:
      `Couldn’t connect to ${new URL(url).host}: Node doesn’t trust its certificate (DEPTH_ZERO_SELF_SIGNED_CERT). ` +
      'Set NODE_EXTRA_CA_CERTS to a file with the certificates of your organization. (PLATFORM_UNREACHABLE)\n',
  });
  const { out } = await runCli(['doctor', '--url', url]);
  expect(out).toMatch(/problem +platform .* Set NODE_EXTRA_CA_CERTS to a file/);
});

it('knows a server without TLS, one with it, one that only closes, and a port on which none is', async () => {
  const plain = await portOf(createServer((_request, response) => response.end()));
  expect((await apps(`https://localhost:${plain}`)).error).toContain('the server doesn’t respond with TLS');
  const secure = await startTlsPlatform();
  expect((await apps(`http://localhost:${secure}`)).error).toContain('the connection was closed without a response');
  const closing = await portOf(createTcpServer((socket) => socket.destroy()));
  expect((await apps(`https://localhost:${closing}`)).error).toContain('the connection was closed without a response');
  const unused = await closedPort();
  expect((await apps(`http://localhost:${unused}`)).error).toMatch(
    /: nothing responds on this port \(ECONNREFUSED\)\. Check the base URL, and make sure that the platform is running/,
  );
});

it('reaches a platform through https_proxy with the certificates of NODE_EXTRA_CA_CERTS, without showing the proxy its token', async () => {
  const tokens: unknown[] = [];
  const [port, proxy, home] = await Promise.all([startTlsPlatform(tokens), startProxy(), temporaryFolder()]);
  const certificates = join(home, 'certificates.pem');
  await writeFile(certificates, CERTIFICATE);
  const child = spawn(
    process.execPath,
    ['lib/cli/bin.ts', 'apps', '--json', '--url', `https://platform.example:${port}`],
    {
      env: {
        ...process.env,
        PLATFORM_DEVTOOLS_HOME: home,
        PLATFORM_TOKEN: TOKEN,
        https_proxy: `http://127.0.0.1:${proxy.port}`,
        no_proxy: 'other.example',
        NODE_EXTRA_CA_CERTS: certificates,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [out, error] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
  expect([out.join(''), error.join('')]).toEqual(['{"apps":[]}\n', '']);
  expect(tokens).toEqual([TOKEN]);
  expect(proxy.seen).toEqual([expect.stringMatching(`^CONNECT platform\\.example:${port} HTTP/1\\.1\r\n`)]);
  expect(proxy.seen.join('')).not.toContain(TOKEN);
});

describe('a proxy', () => {
  it.each([
    [407, 'the proxy requires a login (status 407). Set HTTPS_PROXY to a URL with a username and a password'],
    [502, 'the proxy refused to connect to it (status 502). Check HTTPS_PROXY.'],
  ])('that responds with %i is named as the cause', async (status, message) => {
    const { port } = await startProxy(status);
    const { code, error } = await apps('https://platform.example', { HTTPS_PROXY: `http://127.0.0.1:${port}` });
    expect([code, error]).toEqual([69, expect.stringContaining(`Couldn’t connect to platform.example: ${message}`)]);
  });

  it('that isn’t there is named as the cause, not the platform', async () => {
    const port = await closedPort();
    const { error } = await apps('https://platform.example', { HTTPS_PROXY: `127.0.0.1:${port}` });
    expect(error).toContain(
      `Couldn’t connect to platform.example: the proxy 127.0.0.1:${port} can’t be reached (ECONNREFUSED). Check HTTPS_PROXY`,
    );
  });

  it('isn’t used for this machine, whatever Node would do', async () => {
    const proxy = await startProxy(502);
    const url = `http://localhost:${await portOf(createServer((_request, response) => response.end('{"apps":[]}')))}`;
    const HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
    for (const NODE_USE_ENV_PROXY of ['', '1'])
      expect((await apps(url, { HTTP_PROXY, HTTPS_PROXY: HTTP_PROXY, NODE_USE_ENV_PROXY })).code).toBe(0);
    expect(proxy.seen).toEqual([]);
  });

  it('is shown by doctor, without its password', async () => {
    const { port } = await startProxy(502);
    const env = { HTTPS_PROXY: `http://me:s3cret@127.0.0.1:${port}` };
    const { out } = await runCli(['doctor', '--url', 'https://platform.example'], { env });
    expect(out).toContain(`Requests go through 127.0.0.1:${port} (HTTPS_PROXY), except to the hosts in NO_PROXY.`);
    expect(out).toMatch(/problem +platform .* the proxy refused to connect to it \(status 502\)/);
    expect(out).not.toContain('s3cret');
  });
});
