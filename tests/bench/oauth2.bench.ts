/** Measures the OAuth2 library: its size beside other clients’, and what `api()` costs beside a bare fetch. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { createOAuth2 } from '../../lib/oauth2/index.ts';
import { interleave, ratio, row, type Row, type Table } from './measure.ts';

/** Bytes. */
const SIZE_TARGET = 10_000;
const OVERHEAD_TARGET = 1.3;

/** As an app would bundle each: what it needs for a login with code and PKCE, refreshing, and calling an API. */
const CONTENDERS: Record<string, string> = {
  'platform-oauth2:0.1, the whole script': "import './lib/oauth2/script.ts'",
  'oauth4webapi, code + PKCE + refresh':
    "import * as o from 'oauth4webapi'; globalThis.o = [o.generateRandomCodeVerifier, o.calculatePKCECodeChallenge, o.generateRandomState, o.validateAuthResponse, o.authorizationCodeGrantRequest, o.processAuthorizationCodeResponse, o.refreshTokenGrantRequest, o.processRefreshTokenResponse, o.ClientSecretPost, o.protectedResourceRequest]",
  'hello.js core': "import hello from 'hellojs/src/hello.js'; globalThis.hello = hello",
  'oidc-client-ts': "import { UserManager } from 'oidc-client-ts'; globalThis.o = UserManager",
};

/** Bytes, minified by esbuild and compressed by gzip -9. */
async function sizeOf(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: new URL('../..', import.meta.url).pathname },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

async function sizes(): Promise<Table> {
  const rows: Row[] = [];
  for (const [name, contents] of Object.entries(CONTENDERS)) rows.push(row(name, [await sizeOf(contents)]));
  const [ours] = rows;
  ours!.target = {
    text: `${SIZE_TARGET.toLocaleString('en')} (10 kB) or less`,
    met: ours!.median <= SIZE_TARGET,
    isSpeed: false,
  };
  return { title: 'OAuth2: size, min + gzip', unit: 'bytes', rows };
}

const CALLS = 200;

/** One call after another to a service on loopback, which responds with 1 kB of JSON. */
async function overhead(): Promise<Table> {
  const body = JSON.stringify({
    items: Array.from({ length: 20 }, (_, id) => ({ id, name: `Item ${id}`, stock: id * 3 })),
  });
  const server = createServer(
    (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session = JSON.stringify({
    service: 'demo',
    access_token: 'token',
    token_type: 'Bearer',
    expires: Date.now() / 1000 + 3600,
    scope: '',
    state: '',
  });
  const page = Object.assign(new EventTarget(), {
    localStorage: { getItem: () => session },
    location: { origin: 'https://app.example' },
    navigator,
    isSecureContext: true,
  });
  const oauth2 = createOAuth2(page as unknown as Window, { proxyUrl: `${url}/v1/proxy` });
  oauth2.configure('demo', {
    clientId: 'c',
    clientSecret: 's',
    redirectUrl: 'https://app.example/callback',
    authUrl: `${url}/authorize`,
    baseUrl: url,
  });
  const demo = oauth2('demo');
  const times = (call: () => Promise<unknown>) => async () => {
    for (let n = 0; n < CALLS; n++) await call();
  };
  const contenders = [
    {
      name: 'fetch, JSON',
      units: CALLS,
      run: times(async () => (await fetch(`${url}/items`, { headers: { authorization: 'Bearer token' } })).json()),
    },
    { name: 'api()', units: CALLS, run: times(() => demo.api('items')), isSubject: true },
  ];
  const samples = await interleave(contenders, 15);
  server.closeAllConnections();
  server.close();
  const rows = contenders.map(({ name }) =>
    row(
      name,
      (samples.get(name) ?? []).map((time) => time / 1000),
    ),
  );
  const overhead = ratio(samples, 'api()', 'fetch, JSON');
  rows[1]!.target = {
    text: `${OVERHEAD_TARGET}x a bare fetch or less: ${overhead.toFixed(2)}x`,
    met: overhead <= OVERHEAD_TARGET,
  };
  return { title: 'OAuth2: one call of an API', unit: 'microseconds of CPU', rows };
}

export async function bench(): Promise<Table[]> {
  return [await sizes(), await overhead()];
}
