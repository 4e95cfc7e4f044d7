/**
 * What a run must not reach: Node, files, processes, the environment, or the network other than through the platform's
 * fetch (issue, "Runs on the server").
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { confinedCommand, findConfinement } from '../../lib/local-platform/runner/confinement.ts';
import { isPrivate } from '../../lib/local-platform/runner/addresses.ts';
import { atTheEndOfTheStack, CALLS, DESCRIBE, ESCAPES, NO_ESCAPE } from './support/escapes.ts';
import { BASE_URL, testRunner } from './support/runner.ts';

const exec = promisify(execFile);
let port = 0;
const server = createServer((request, response) => {
  if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
  else if (request.url === '/large') response.end('x'.repeat(11 * 1024 * 1024));
  else response.end(JSON.stringify({ url: request.url, method: request.method, one: request.headers['x-one'] }));
});
const seen: Request[] = [];
const api = (request: Request) => {
  seen.push(request);
  return Response.json({ ok: true });
};
const runner = testRunner({ api, spare: 1 });
let open: ReturnType<typeof testRunner>;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  open = testRunner({ api, allowPrivate: [`127.0.0.1:${port}`] });
});
afterAll(async () => {
  await Promise.all([runner.close(), open.close()]);
  server.close();
});

const result = async (code: string, from = runner) => {
  const { outcome } = await from.code(code);
  return outcome.state === 'completed'
    ? outcome.result
    : `${outcome.failure.errorType}: ${outcome.failure.errorMessage}`;
};

describe('code in the context can’t reach Node', () => {
  it('and finds no globals of Node', async () => {
    expect(
      await result(
        'return ["process", "require", "module", "global", "Buffer", "WebSocket", "EventSource", "XMLHttpRequest", "setImmediate", "host"].filter((name) => name in globalThis)',
      ),
    ).toEqual([]);
  });
  it('and none of the known ways leads to `process`', async () => {
    const all = ESCAPES.map((expression) => `async () => (${expression})`).join(',\n');
    const found = (await result(
      `const found = []; for (const attempt of [${all}]) { try { found.push(DESCRIBE(await attempt())); } catch (error) { found.push(error.name + ": " + error.message); } } return found;`.replace(
        'DESCRIBE',
        `(${DESCRIBE})`,
      ),
    )) as string[];
    expect(found).toHaveLength(ESCAPES.length);
    for (const [index, each] of found.entries()) {
      expect([ESCAPES[index], each]).toEqual([ESCAPES[index], expect.stringMatching(NO_ESCAPE)]);
      expect(each).not.toMatch(/ESCAPED/);
    }
  });
});

describe('what enters from Node’s own realm', () => {
  /** A refused `import()` rejects with an error that the context did not make. */
  const caught = (code: string): Promise<unknown> =>
    result(`let foreign; try { await import("x"); } catch (error) { foreign = error; } ${code}`);

  it('is an error whose prototypes can’t be changed, so that Node calls nothing through them', async () => {
    expect(
      await caught(
        'const root = Object.getPrototypeOf(foreign.constructor.constructor.prototype); return root === Object.prototype',
      ),
    ).toBe(false);
    const changes = [
      'root._idlePrev = 1',
      'Object.defineProperty(root, "_idlePrev", { set() {} })',
      'Object.defineProperty(root, "then", { get() {} })',
      'root.toString = () => "mine"',
      'root.__proto__ = {}',
      'foreign.constructor.prepareStackTrace = () => "mine"',
      'foreign.constructor.prototype.message = "mine"',
      'foreign.constructor.constructor.prototype.call = () => "mine"',
    ];
    const unchanged = await caught(
      `const root = Object.getPrototypeOf(foreign.constructor.constructor.prototype); const seen = () => [root, foreign.constructor, foreign.constructor.prototype, foreign.constructor.constructor.prototype].map((each) => JSON.stringify(Reflect.ownKeys(each).map((key) => [String(key), String(Reflect.getOwnPropertyDescriptor(each, key).value)]))).join(); return [${changes.map((change) => `() => { ${change}; }`).join()}].map((change) => { const before = seen(); try { change(); } catch {} return seen() === before; });`,
    );
    expect(changes.filter((_, index) => (unchanged as boolean[])[index] !== true)).toEqual([]);
  });

  it('gives access only to the language’s own objects', async () => {
    const found = (await caught(
      `const seen = new Set(); const waiting = [foreign]; while (waiting.length > 0) { const each = waiting.pop(); if (each === null || (typeof each !== "object" && typeof each !== "function") || seen.has(each)) continue; seen.add(each); for (const key of Reflect.ownKeys(each)) { const { value, get, set } = Reflect.getOwnPropertyDescriptor(each, key); waiting.push(value, get, set); } waiting.push(Reflect.getPrototypeOf(each)); } return [...seen].filter((each) => each !== foreign).map((each) => [Object.isFrozen(each), typeof each === "function" ? each.name : "", Reflect.ownKeys(each).map(String).join()]);`,
    )) as [boolean, string, string][];
    expect(found.filter(([frozen]) => frozen).length).toBeGreaterThan(50);
    expect(found.filter(([frozen]) => !frozen)).toEqual([]);
    expect(
      found.filter(([, , keys]) => /\b(pid|env|binding|exports|stdin|_handle|mainModule|require)\b/.test(keys)),
    ).toEqual([]);
  });

  // `tests/exhaustive/platform/runner-escapes.test.ts` has all calls.
  it.each(CALLS.slice(0, 2))('is nothing when the stack ends in %s', async (call) => {
    expect(await result(atTheEndOfTheStack(call, [0, 7, 17]))).toEqual([]);
  });
});

describe('a run finds nothing of another run', () => {
  it('in the language’s objects, in timers, or in promises that were never awaited', async () => {
    const left =
      'Object.prototype.left = 1; Array.prototype.push = function () { return "mine"; }; JSON.parse = () => "mine"; Promise.prototype.then = () => {}; globalThis.left = 1; setInterval(() => console.log("still here"), 1); new Promise((resolve) => setTimeout(resolve, 60_000)).then(() => {}); Error.prepareStackTrace = () => "mine";';
    // These runs never end, because `then` does nothing, so they reach the time limit.
    const limited = testRunner({ api, time: 5_000 });
    onTestFinished(() => limited.close());
    const from = (code: string) => result(`${left} ${code}`, limited);
    await Promise.all([from('return 1'), from('return 2'), from('return 3')]);
    const after = await limited.code(
      'return [({}).left, typeof left, [].push(1), JSON.parse("2"), typeof Error.prepareStackTrace]',
    );
    expect([after.outcome.state === 'completed' && after.outcome.result, after.console]).toEqual([
      [null, 'undefined', 1, 2, 'undefined'],
      [],
    ]);
  });

  it('and has its own process, which ends with it', async () => {
    const { stdout: before } = await exec('ps', ['-eo', 'pid,ppid']);
    expect(await result('return 1')).toBe(1);
    const { stdout: after } = await exec('ps', ['-eo', 'pid,ppid']);
    const children = (text: string): string[] =>
      text
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter(([, parent]) => parent === String(process.pid))
        .map(([pid]) => pid!);
    // One process was used, and another was started to replace it.
    expect(children(before).every((pid) => children(after).includes(pid))).toBe(false);
  });
});

describe('the process of a run', () => {
  /** Runs in Node's own realm, like code that escaped from the context. */
  async function outside(code: string): Promise<string> {
    const [program, args] = confinedCommand(await findConfinement(), 20, [
      process.execPath,
      '--permission',
      '--disallow-code-generation-from-strings',
      '--no-warnings',
      '-e',
      code,
    ]);
    return exec(program, args, { env: {}, cwd: '/', timeout: 20_000 }).then(
      ({ stdout }) => stdout.trim(),
      (error: { stderr: string }) => `died: ${error.stderr.slice(0, 300)}`,
    );
  }
  const attempt = (code: string) =>
    outside(
      `Promise.resolve().then(async () => { ${code} }).then((value) => console.log("GOT", value), (error) => console.log("refused", error.code || error.message))`,
    );

  it('can’t use files, child processes, workers, the inspector, or strings as code', async () => {
    const attempts = {
      'reading files': 'require("fs").readFileSync("/etc/hostname")',
      'writing files': 'require("fs").writeFileSync("/tmp/escaped", "x")',
      'child processes': 'require("child_process").execSync("id")',
      workers: 'new (require("worker_threads").Worker)("1", { eval: true })',
      'the inspector': 'require("inspector").open(0)',
      'strings as code': 'Function("return 1")()',
    };
    const tried = Object.entries(attempts).map(
      ([name, code]) =>
        `try { ${code}; found[${JSON.stringify(name)}] = "GOT"; } catch { found[${JSON.stringify(name)}] = "refused"; }`,
    );
    const found = await outside(`const found = {}; ${tried.join('\n')} console.log(JSON.stringify(found));`);
    expect(found).toBe(JSON.stringify(Object.fromEntries(Object.keys(attempts).map((name) => [name, 'refused']))));
  });
  it('finds none of Node’s modules and objects, even outside of the context', async () => {
    const child = await readFile(new URL('../../lib/local-platform/runner/child.cjs', import.meta.url), 'utf8');
    const found = await outside(`${child}
      const kept = Reflect.ownKeys(globalThis).map(String);
      write(stringify(kept)); exit(0);`);
    const language = runInNewContext('Reflect.ownKeys(globalThis)') as PropertyKey[];
    expect((JSON.parse(found) as string[]).filter((name) => !language.map(String).includes(name))).toEqual([]);
  });
  it('has no environment variables', async () => {
    expect(
      await attempt('return Object.keys(process.env).filter((name) => !/^(PWD|SHLVL|_|OLDPWD)$/.test(name)).length'),
    ).toBe('GOT 0');
  });
  it('has no network where the operating system can isolate it', async () => {
    const { network } = await findConfinement();
    const found = await attempt(
      `return await new Promise((resolve, reject) => require("net").connect(${port}, "127.0.0.1", () => resolve("connected")).on("error", reject))`,
    );
    expect(found).toMatch(network ? /^refused E(NETUNREACH|CONNREFUSED|ADDRNOTAVAIL)/ : /./);
  });
  it('can’t signal other processes where it runs as its own user', async () => {
    const { user } = await findConfinement();
    const found = await attempt(`return process.kill(${process.pid}, 0)`);
    expect(found).toMatch(user ? /^refused EPERM/ : /./);
  });
});

describe('fetch', () => {
  /** What a run catches when it requests each URL. */
  const refusalsOf = async (urls: string[]): Promise<unknown[]> =>
    (await result(
      `return Promise.all(${JSON.stringify(urls)}.map((url) => fetch(url).then((response) => response.text()).catch((error) => error.name + ": " + error.message)))`,
    )) as unknown[];
  it('requests the platform itself with the token of the run, without a network', async () => {
    expect(await result('return Platform.request("apps/1/outbox")')).toEqual({ ok: true });
    expect({ url: seen.at(-1)!.url, authToken: seen.at(-1)!.headers.get('auth-token') }).toEqual({
      url: `${BASE_URL}v1/apps/1/outbox`,
      authToken: 'the-run',
    });
  });
  it('refuses private addresses', async () => {
    const urls = [
      'http://127.0.0.1:PORT/',
      'http://localhost:PORT/',
      'http://[::1]:PORT/',
      'http://2130706433:PORT/',
      'http://0x7f.1:PORT/',
      'http://[::ffff:127.0.0.1]:PORT/',
      'http://0.0.0.0:PORT/',
      'http://169.254.169.254/latest/meta-data',
    ];
    const refusals = await refusalsOf(urls.map((url) => url.replace('PORT', String(port))));
    for (const [index, refusal] of refusals.entries())
      expect([urls[index], refusal]).toEqual([
        urls[index],
        expect.stringMatching(
          /^TypeError: Couldn’t reach .*: private IP addresses are blocked for runs and pages\. Start the platform with --allow-private .* to allow it\.$/,
        ),
      ]);
    expect(refusals).toHaveLength(urls.length);
  });
  it('reaches an allowed private host', async () => {
    expect(
      await result(
        `const response = await fetch("http://127.0.0.1:${port}/x", { method: "POST", headers: { "X-One": "1" }, body: "b" }); return [response.status, await response.json()]`,
        open,
      ),
    ).toEqual([200, { url: '/x', method: 'POST', one: '1' }]);
  });
  it('checks the target of a redirect', async () => {
    const other = testRunner({ allowPrivate: ['localhost'] });
    expect(await result(`return (await fetch("http://localhost:${port}/away")).text()`, other)).toMatch(
      /^TypeError: Couldn’t reach 127\.0\.0\.1: private IP addresses are blocked/,
    );
    await other.close();
  });
  it('limits what a response may contain', async () => {
    expect(await result(`return (await fetch("http://127.0.0.1:${port}/large")).text()`, open)).toMatch(
      /larger than 10 MB/,
    );
  });
  it('refuses other protocols, and passwords in URLs', async () => {
    const urls = ['file:///etc/passwd', 'data:text/plain,x', 'ftp://example.com/', 'http://user:secret@example.com/'];
    const refusals = await refusalsOf(urls);
    expect(refusals).toEqual(urls.map(() => expect.stringMatching(/^TypeError: .* Use (http or https|a header)\.$/)));
  });
  it('refuses invalid methods, which the run can catch', async () => {
    const methods = ['GET /', 'a-b', ''];
    const caught = `fetch("http://127.0.0.1:${port}/", { method }).catch(({ message }) => message)`;
    expect(await result(`return Promise.all(${JSON.stringify(methods)}.map((method) => ${caught}))`, open)).toEqual(
      methods.map(
        (method) => `${JSON.stringify(method.toUpperCase())} isn’t a valid method. Use letters, such as POST.`,
      ),
    );
  });
  it.each([
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
  ])('treats %s as private', (address) => {
    expect(isPrivate(address)).toBe(true);
  });
  it.each(['1.1.1.1', '172.32.0.1', '2606:4700::1111'])('treats %s as public', (address) => {
    expect(isPrivate(address)).toBe(false);
  });
});
