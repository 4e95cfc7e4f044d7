/** What tools may change: with and without --allow-writes, in production, and for clients that can and can’t ask. */
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElicitResult, InputRequiredResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calledOf, type McpTest, openMcp, startMcp } from '../../support/mcp-client.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { start, temporaryFolder, type TestPlatform } from '../support/platform.ts';

let platform: TestPlatform;
let proxy: FaultyPlatform;
beforeAll(async () => {
  platform = await start({ oauthDemoPort: null });
  proxy = await startFaultyPlatform(platform.baseUrl);
});
afterAll(async () => {
  for (const server of servers.values()) await (await server).close();
  await proxy?.close();
  await platform?.close();
});
beforeEach(() => {
  proxy.requests.length = 0;
  asked = [];
  respond = () => accept;
});

const changes = (): string[] =>
  proxy.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

const accept: ElicitResult = { action: 'accept', content: { confirm: true } };
/** What the user was asked. */
let asked: string[] = [];
let respond: () => ElicitResult | Promise<ElicitResult>;

interface Kind {
  allowWrites?: boolean;
  production?: boolean;
  /** The client can’t ask its user. */
  isMute?: boolean;
  isOld?: boolean;
}
const servers = new Map<string, Promise<McpTest>>();

/** One server for each kind. */
function serverFor({ allowWrites = false, production = false, isMute = false, isOld = false }: Kind): Promise<McpTest> {
  const key = [allowWrites, production, isMute, isOld].join();
  const confirm = (message: string): ElicitResult | Promise<ElicitResult> => {
    asked.push(message);
    return respond();
  };
  const server =
    servers.get(key) ??
    openMcp({
      baseUrl: proxy.baseUrl,
      token: platform.authToken,
      args: allowWrites ? ['--allow-writes'] : [],
      production,
      isOld,
      ...(!isMute && { confirm }),
    });
  servers.set(key, server);
  return server;
}

const ERAS = [false, true];

interface Write {
  tool: string;
  args: Record<string, unknown>;
  sent: string;
  /** What the user is asked. */
  question: RegExp;
}
const WRITES: Write[] = [
  {
    tool: 'publish_app',
    args: { app: 101, type: 'visible', notes: 'Faster lists' },
    sent: 'POST /v1/apps/101/publish',
    question:
      /^Publish a visible release of app “Field Service” \(ID 101, version \d+\) with the release notes “Faster lists”\? The environment “test” \(http:\/\/127\.0\.0\.1:\d+\) is production\.$/,
  },
  {
    tool: 'publish_action',
    args: { app: 101, action: 'number-range' },
    sent: 'POST /v1/apps/101/actions/1004/publish?by=id',
    question:
      /^Publish action “number-range” \(ID 1004, revision \d+\) of app 101\? The environment “test” .* is production\.$/,
  },
];

describe.each(WRITES)('$tool', ({ tool, args, sent, question }) => {
  it('is refused without --allow-writes, in any environment', async () => {
    for (const production of [false, true]) {
      const { call } = await serverFor({ production });
      const { isError, value } = await call(tool, args);
      expect({ isError, code: value.error.code }).toEqual({ isError: true, code: 'WRITES_NOT_ALLOWED' });
    }
    expect(proxy.requests).toEqual([]);
  });

  it('works with --allow-writes, and asks nothing outside of production', async () => {
    const { call } = await serverFor({ allowWrites: true });
    expect((await call(tool, args)).isError).toBe(false);
    expect(changes()).toEqual([sent]);
  });

  it.each(ERAS)('asks the user in production (older client: %s)', async (isOld) => {
    const { call } = await serverFor({ allowWrites: true, production: true, isOld });
    respond = () => {
      expect(changes()).toEqual([]);
      return accept;
    };
    const { isError, text } = await call(tool, args);
    expect(isError, text).toBe(false);
    expect(asked).toEqual([expect.stringMatching(question)]);
    expect(changes()).toEqual([sent]);
  });

  it.each<[string, ElicitResult]>([
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
    ['accepts, but doesn’t tick the box', { action: 'accept', content: { confirm: false } }],
  ])('sends nothing if the user %s', async (_, response) => {
    respond = () => response;
    for (const isOld of ERAS) {
      const { call } = await serverFor({ allowWrites: true, production: true, isOld });
      expect((await call(tool, args)).value.error.code).toBe('CONFIRMATION_DECLINED');
    }
    expect(changes()).toEqual([]);
  });

  it('is refused in production if the client can’t ask', async () => {
    for (const isOld of ERAS) {
      const { call } = await serverFor({ allowWrites: true, production: true, isMute: true, isOld });
      expect((await call(tool, args)).value.error).toMatchObject({
        code: 'CONFIRMATION_UNAVAILABLE',
        hint: expect.any(String),
      });
    }
    expect(changes()).toEqual([]);
  });
});

describe('a confirmation', () => {
  const args = { app: 101, notes: 'one' };
  const first = async (mcp: McpTest, given: object = args): Promise<InputRequiredResult> =>
    (await mcp.client.callTool({ name: 'publish_app', arguments: { ...given } }, {
      allowInputRequired: true,
    } as never)) as unknown as InputRequiredResult;
  const again = (
    mcp: McpTest,
    given: object,
    { requestState }: { requestState?: string | undefined },
    response: ElicitResult = accept,
  ) =>
    mcp.client.callTool(
      {
        name: 'publish_app',
        arguments: { ...given },
        inputResponses: { confirm: response },
        ...(requestState !== undefined && { requestState }),
      } as never,
      { allowInputRequired: true } as never,
    ) as Promise<unknown>;
  const production = { allowWrites: true, production: true };

  it('is for the exact arguments: changed ones ask again', async () => {
    const mcp = await serverFor(production);
    const asked = await first(mcp);
    const other = (await again(mcp, { ...args, notes: 'two' }, asked)) as InputRequiredResult;
    expect(JSON.stringify(other.inputRequests)).toContain('“two”');
    expect(changes()).toEqual([]);
  });

  it('is used once', async () => {
    const mcp = await serverFor(production);
    const asked = await first(mcp);
    expect(calledOf((await again(mcp, args, asked)) as never).isError).toBe(false);
    expect(await again(mcp, args, asked)).toHaveProperty('inputRequests');
    expect(changes()).toHaveLength(1);
  });

  it('that was declined can’t be given later', async () => {
    const mcp = await serverFor(production);
    const question = await first(mcp);
    const refused = calledOf((await again(mcp, args, question, { action: 'decline' })) as never);
    expect(refused.value.error.code).toBe('CONFIRMATION_DECLINED');
    expect(await again(mcp, args, question)).toHaveProperty('inputRequests');
    expect(changes()).toEqual([]);
  });

  it('can’t be made up by a client', async () => {
    const mcp = await serverFor(production);
    expect(await again(mcp, args, {})).toHaveProperty('inputRequests');
    await expect(again(mcp, args, { requestState: 'v1.e30.e30' })).rejects.toThrow('Invalid or expired requestState');
    const { requestState = '' } = await first(mcp);
    // The first character of the signature: not all bits of the last one count.
    const at = requestState.lastIndexOf('.') + 1;
    const character = requestState[at] === 'A' ? 'B' : 'A';
    const changed = requestState.slice(0, at) + character + requestState.slice(at + 1);
    await expect(again(mcp, args, { requestState: changed })).rejects.toThrow('Invalid or expired requestState');
    // Each server has a key of its own.
    const other = await serverFor({ ...production, isOld: false, isMute: true });
    await expect(again(other, args, { requestState })).rejects.toThrow('Invalid or expired requestState');
    expect(changes()).toEqual([]);
  });

  it('is for the revision that was shown: if someone changes the action now, nothing is published', async () => {
    const { call } = await serverFor(production);
    respond = async () => {
      const { status } = await platform.ask('/v1/apps/101/actions/1006?by=id', {
        method: 'PUT',
        body: { active: false },
      });
      expect(status).toBe(200);
      return accept;
    };
    // The changed action is shown in a second question, and so on, until the client gives up.
    await expect(call('publish_action', { app: 101, action: 'never-ends' })).rejects.toThrow();
    expect(asked.length).toBeGreaterThan(1);
    expect(changes()).toEqual([]);
  });
});

it('a revision that the action doesn’t have isn’t published', async () => {
  const { call } = await serverFor({ allowWrites: true });
  const { value } = await call('publish_action', { app: 101, action: 'number-range', revision: 999 });
  expect(value.data.error.code).toBe('CONFLICT');
});

it('release notes beyond what a question can show are refused', async () => {
  const { call } = await serverFor({ allowWrites: true });
  const { value } = await call('publish_app', { app: 101, notes: 'x'.repeat(2_001) });
  expect(value.error.code).toBe('ARGUMENT_INVALID');
});

it('files of a migration are written only with --allow-writes', async () => {
  const reader = await serverFor({});
  const args = { app: 101, action: 'number-range', write: true };
  expect((await reader.call('migrate_action', args)).value.error.code).toBe('WRITES_NOT_ALLOWED');
  expect(await reader.folderContent()).toEqual([]);
  const writer = await serverFor({ allowWrites: true });
  expect((await writer.call('migrate_action', args)).isError).toBe(false);
  expect(await writer.folderContent()).toEqual(['migrated']);
});

it('files of a migration aren’t written to a folder that a link leads out of the project', async () => {
  const [folder, outside] = [await temporaryFolder(), await temporaryFolder()];
  await symlink(outside, join(folder, 'migrated'));
  const server = { baseUrl: proxy.baseUrl, token: platform.authToken, args: ['--allow-writes'], folder };
  const { call } = await startMcp(server);
  const { value } = await call('migrate_action', { app: 101, action: 'number-range', write: true });
  expect(value.data.error).toMatchObject({
    code: 'FILES_NOT_WRITTEN',
    message: expect.stringContaining('a link leads out of'),
  });
  expect(await readdir(outside)).toEqual([]);
});
