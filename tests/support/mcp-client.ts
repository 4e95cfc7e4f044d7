/** Starts `platform-devtools mcp` in a process of its own, and talks to it with the SDK’s client. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { type CallToolResult, Client, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

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
}

export interface McpTest {
  client: Client;
  /** What the server wrote to standard error. */
  stderr: () => string;
  pid: number;
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
  const { baseUrl, token, args = [], env = {}, production = false, confirm, isOld = false } = options;
  const home = await mkdtemp(join(tmpdir(), 'mcp-home-'));
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'mcp-project-')));
  const environments = { test: { url: baseUrl, production } };
  await writeFile(join(home, 'config.json'), JSON.stringify({ default: 'test', environments }), { mode: 0o600 });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...args],
    env: {
      ...(process.env as Record<string, string>),
      PLATFORM_TOKEN: token,
      PLATFORM_URL: '',
      PLATFORM_ENV: '',
      PLATFORM_DEVTOOLS_HOME: home,
      PLATFORM_DEVTOOLS_KEYCHAIN: 'off',
      ...env,
    },
    cwd: folder,
    stderr: 'pipe',
  });
  let stderr = '';
  (transport.stderr as Readable).on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: confirm ? { elicitation: { form: {} } } : {},
      ...(!isOld && { versionNegotiation: { mode: { pin: NEWEST } } }),
    },
  );
  if (confirm) client.setRequestHandler('elicitation/create', ({ params }) => confirm(params.message));
  await client.connect(transport);
  const close = async (): Promise<void> => {
    await client.close();
    await rm(home, { recursive: true, force: true });
    if (!options.folder) await rm(folder, { recursive: true, force: true });
  };
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Called> =>
    calledOf((await client.callTool({ name, arguments: given })) as CallToolResult);
  return {
    client,
    stderr: () => stderr,
    pid: transport.pid!,
    folder,
    folderContent: () => readdir(folder),
    call,
    close,
  };
}

export function calledOf(result: CallToolResult): Called {
  const [content] = result.content;
  if (result.content.length !== 1 || content?.type !== 'text') throw new Error('A result has one text.');
  const { resultType: _, _meta: __, ...own } = result as Record<string, unknown>;
  const size = Buffer.byteLength(JSON.stringify(own));
  return { isError: result.isError === true, size, text: content.text, value: JSON.parse(content.text) };
}
