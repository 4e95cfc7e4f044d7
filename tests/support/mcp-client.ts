/** Runs `platform-devtools mcp` in this process, or in one of its own, and talks to it with the SDK’s client. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import {
  type CallToolResult,
  Client,
  type ElicitResult,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import type { Host } from '../../lib/cli/command/host.ts';
import { runCli } from './run-cli.ts';

const BIN = resolve(import.meta.dirname, '../../lib/cli/bin.ts');
export const NEWEST = '2026-07-28';

export interface McpOptions {
  baseUrl: string;
  token: string;
  /** After `mcp`. */
  args?: string[];
  env?: Record<string, string>;
  /** Marks the environment as production. */
  production?: boolean;
  /** The project’s folder. Default: an empty one. */
  folder?: string;
  /** Responds to confirmations. Without it, the client has no elicitation. */
  confirm?: (message: string) => ElicitResult | Promise<ElicitResult>;
  /** Uses the previous protocol version. */
  isOld?: boolean;
  /** Starts a process, whose standard error has what no host gets. */
  isProcess?: boolean;
  /** For runs of a server in this process. Default: a browser for each of them. */
  startBrowser?: Host['startBrowser'];
}

export interface McpTest {
  client: Client;
  /** What the server wrote to standard error. */
  stderr: () => string;
  /** Of the server’s process. */
  pid: number;
  /** What a server in this process writes. */
  output: PassThrough;
  folder: string;
  /** The names in the project’s folder. */
  folderContent: () => Promise<string[]>;
  /** Resolves with the result’s JSON. */
  call: (name: string, args?: Record<string, unknown>) => Promise<Called>;
  close: () => Promise<void>;
}

export interface Called {
  isError: boolean;
  /** In bytes, of the result as JSON. */
  size: number;
  /** As the client got it. */
  text: string;
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into it
  value: any;
}

/** Ends with the test. */
export async function startMcp(options: McpOptions): Promise<McpTest> {
  const started = await openMcp(options);
  onTestFinished(() => started.close());
  return started;
}

export async function openMcp(options: McpOptions): Promise<McpTest> {
  const { baseUrl, token, args = [], env = {}, production = false, confirm, isOld = false, startBrowser } = options;
  const home = await mkdtemp(join(tmpdir(), 'mcp-home-'));
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'mcp-project-')));
  const environments = { test: { url: baseUrl, production } };
  await writeFile(join(home, 'config.json'), JSON.stringify({ default: 'test', environments }), { mode: 0o600 });
  const ownEnv = {
    PLATFORM_TOKEN: token,
    PLATFORM_URL: '',
    PLATFORM_ENV: '',
    PLATFORM_DEVTOOLS_HOME: home,
    PLATFORM_DEVTOOLS_KEYCHAIN: 'off',
    ...env,
  };
  const server = (options.isProcess ? startProcess : startHere)(['mcp', ...args], ownEnv, { folder, startBrowser });
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: confirm ? { elicitation: { form: {} } } : {},
      ...(!isOld && { versionNegotiation: { mode: { pin: NEWEST } } }),
    },
  );
  if (confirm) client.setRequestHandler('elicitation/create', ({ params }) => confirm(params.message));
  await client.connect(server.transport);
  const close = async (): Promise<void> => {
    await client.close();
    await server.ended;
    await rm(home, { recursive: true, force: true });
    if (!options.folder) await rm(folder, { recursive: true, force: true });
  };
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Called> =>
    calledOf((await client.callTool({ name, arguments: given })) as CallToolResult);
  return {
    client,
    stderr: server.stderr,
    pid: server.pid(),
    output: server.output,
    folder,
    folderContent: () => readdir(folder),
    call,
    close,
  };
}

interface Server {
  transport: Transport;
  stderr: () => string;
  pid: () => number;
  output: PassThrough;
  /** Settles once the server has ended, after the client has closed. */
  ended: Promise<unknown>;
}

/** Of a server’s project, and of its runs. */
interface Place extends Pick<McpOptions, 'startBrowser'> {
  folder: string;
}

function startProcess(args: string[], env: Record<string, string>, { folder: cwd }: Place): Server {
  const all = { ...(process.env as Record<string, string>), ...env };
  const options = { command: process.execPath, args: [BIN, ...args], env: all, cwd, stderr: 'pipe' as const };
  const transport = new StdioClientTransport(options);
  let stderr = '';
  (transport.stderr as Readable).on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return {
    transport,
    stderr: () => stderr,
    pid: () => transport.pid!,
    output: new PassThrough(),
    ended: Promise.resolve(),
  };
}

function startHere(args: string[], env: Record<string, string>, { folder: cwd, startBrowser }: Place): Server {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  let stderr = '';
  const ended = runCli(args, { env, cwd, streams, startBrowser, onOutput: (text) => (stderr += text) });
  const transport = new StreamTransport(streams);
  void ended.then(() => transport.close());
  return { transport, stderr: () => stderr, pid: () => process.pid, output: streams.output, ended };
}

/** The client’s side of a server’s streams: each message is a line. */
class StreamTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #streams: { input: PassThrough; output: PassThrough };

  constructor(streams: { input: PassThrough; output: PassThrough }) {
    this.#streams = streams;
  }

  async start(): Promise<void> {
    let rest = '';
    this.#streams.output.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#streams.input.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    if (this.#streams.input.writableEnded) return;
    this.#streams.input.end();
    this.onclose?.();
  }
}

export function calledOf(result: CallToolResult): Called {
  const [content] = result.content;
  if (result.content.length !== 1 || content?.type !== 'text') throw new Error('A result has one text.');
  const { resultType: _, _meta: __, ...own } = result as Record<string, unknown>;
  const size = Buffer.byteLength(JSON.stringify(own));
  return { isError: result.isError === true, size, text: content.text, value: JSON.parse(content.text) };
}
