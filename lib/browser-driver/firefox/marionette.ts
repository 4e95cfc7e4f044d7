/** Starts Firefox with a fresh profile, and drives it through the Marionette protocol. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../wait-for.ts';

type Pending = { resolve(value: unknown): void; reject(error: Error): void };

/** Marionette’s framing: `length:[type, id, command or error, parameters or result]`. */
class Wire {
  private readonly pending = new Map<number, Pending>();
  private buffer = Buffer.alloc(0);
  private lastId = 0;
  private readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const { reject } of this.pending.values()) reject(new Error('Firefox closed the connection.'));
      this.pending.clear();
    });
  }

  send(command: string, parameters: object = {}): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    const text = JSON.stringify([0, id, command, parameters]);
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    this.buffer = Buffer.concat([this.buffer, chunk]);
    for (;;) {
      const colon = this.buffer.indexOf(':');
      if (colon < 0) return;
      const end = colon + 1 + Number(this.buffer.subarray(0, colon).toString());
      if (this.buffer.length < end) return;
      const message = JSON.parse(this.buffer.subarray(colon + 1, end).toString()) as unknown;
      this.buffer = this.buffer.subarray(end);
      if (!Array.isArray(message)) continue; // The server’s greeting.
      const [, id, error, result] = message as [
        number,
        number,
        { error: string; message: string } | null,
        { value?: unknown } | null,
      ];
      const waiting = this.pending.get(id);
      this.pending.delete(id);
      if (error) waiting?.reject(new Error(`${error.error}: ${error.message}`));
      else waiting?.resolve(result && 'value' in result ? result.value : result);
    }
  }
}

export interface Firefox {
  /** Installs a folder or `.xpi` as a temporary add-on; returns the add-on’s id. */
  install(path: string): Promise<string>;
  /** Runs a function body in the chrome context with `args` as `arguments`. Awaits a returned promise. */
  chrome<T>(script: string, ...args: unknown[]): Promise<T>;
  /** Runs a function body in the current page. */
  content<T>(script: string, ...args: unknown[]): Promise<T>;
  navigate(url: string): Promise<void>;
  /** Opens a window and makes its tab the current page. */
  openWindow(): Promise<void>;
  /** Opens a private window and makes its tab the current page. */
  openPrivateWindow(): Promise<void>;
  /** Clicks an element of the current page with real mouse events. */
  click(selector: string): Promise<void>;
  /** Replaces the text of a field of the current page by typing. */
  type(selector: string, text: string): Promise<void>;
  close(): Promise<void>;
  /** Kills the browser synchronously, for a process that is about to exit. */
  kill(): void;
}

/** Starts Firefox headless. `uuids` presets the hostnames of add-on pages. */
export async function startFirefox(executablePath: string, uuids: Record<string, string>): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'platform-devtools-firefox-'));
  const preferences: Record<string, unknown> = {
    'marionette.port': 0,
    'extensions.webextensions.uuids': JSON.stringify(uuids),
    'extensions.webextOptionalPermissionPrompts': false,
    'xpinstall.signatures.required': false,
    'devtools.toolbox.host': 'right',
    'devtools.toolbox.sidebar.width': 900,
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.homepage_override.mstone': 'ignore',
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.auto': false,
    'remote.prefs.recommended': true,
  };
  await writeFile(
    join(profile, 'user.js'),
    Object.entries(preferences)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
      .join('\n'),
  );
  const child = spawn(
    executablePath,
    [
      '--headless',
      '--marionette',
      '-remote-allow-system-access',
      '--no-remote',
      '--profile',
      profile,
      '--window-size=1400,900',
    ],
    {
      stdio: 'ignore',
      env: { ...process.env, MOZ_HEADLESS_WIDTH: '1400', MOZ_HEADLESS_HEIGHT: '900' },
    },
  );
  try {
    const port = await waitFor(
      'the port of Marionette',
      async () => Number(await readFile(join(profile, 'MarionetteActivePort'), 'utf8')) || null,
    );
    const wire = await waitFor('a connection to Marionette', () => open(port));
    await wire.send('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
    await wire.send('WebDriver:SetTimeouts', { script: 60_000, pageLoad: 60_000 });
    return driver(wire, child, profile);
  } catch (error) {
    await end(child, profile);
    throw error;
  }
}

async function open(port: number): Promise<Wire> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return new Wire(socket);
}

function driver(wire: Wire, child: ChildProcess, profile: string): Firefox {
  const run = async <T>(context: 'chrome' | 'content', script: string, args: unknown[]): Promise<T> => {
    await wire.send('Marionette:SetContext', { value: context });
    return (await wire.send('WebDriver:ExecuteScript', {
      script: `return (async function () {${script}}).apply(null, arguments);`,
      args,
      newSandbox: false,
    })) as T;
  };
  const find = async (selector: string): Promise<string> => {
    await wire.send('Marionette:SetContext', { value: 'content' });
    const element = await waitFor(`${selector} in the page`, () =>
      wire.send('WebDriver:FindElement', { using: 'css selector', value: selector }),
    );
    return Object.values(element as Record<string, string>)[0] ?? '';
  };
  return {
    install: async (path) => (await wire.send('Addon:Install', { path, temporary: true })) as string,
    chrome: (script, ...args) => run('chrome', script, args),
    content: (script, ...args) => run('content', script, args),
    async navigate(url) {
      await wire.send('Marionette:SetContext', { value: 'content' });
      await wire.send('WebDriver:Navigate', { url });
    },
    async openWindow() {
      const { handle } = (await wire.send('WebDriver:NewWindow', { type: 'window', focus: true })) as {
        handle: string;
      };
      await wire.send('WebDriver:SwitchToWindow', { handle, focus: true });
    },
    async openPrivateWindow() {
      const handles = async (): Promise<string[]> => (await wire.send('WebDriver:GetWindowHandles')) as string[];
      const before = await handles();
      await run('chrome', 'OpenBrowserWindow({ private: true });', []);
      const handle = await waitFor('the private window', async () =>
        (await handles()).find((one) => !before.includes(one)),
      );
      await wire.send('WebDriver:SwitchToWindow', { handle, focus: true });
      await waitFor('its tab', () => run<boolean>('chrome', 'return gBrowserInit.delayedStartupFinished;', []));
    },
    async click(selector) {
      await wire.send('WebDriver:ElementClick', { id: await find(selector) });
    },
    async type(selector, text) {
      const id = await find(selector);
      await wire.send('WebDriver:ElementClear', { id });
      await wire.send('WebDriver:ElementSendKeys', { id, text });
    },
    async close() {
      wire.close();
      await end(child, profile);
    },
    kill() {
      child.kill('SIGKILL');
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    },
  };
}

async function end(child: ChildProcess, profile: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await exit;
    clearTimeout(patience);
  }
  await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
