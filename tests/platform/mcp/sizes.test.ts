/** Sizes of results: every tool on big data, and how the rest is read. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isExhaustive } from '../../support/exhaustive.ts';
import { type Called, type McpTest, openMcp } from '../../support/mcp-client.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';

const TIME = '2026-01-01T00:00:00.000Z';
/** In the exhaustive tests, the data has up to 100 MB. */
const SCALE = isExhaustive() ? 1 : 0.1;
const STEPS = 100_000 * SCALE;
const LIMIT = 4_000;

let proxy: FaultyPlatform;
let mcp: McpTest;
let recording: string;
beforeAll(async () => {
  proxy = await startFaultyPlatform();
  proxy.given = ({ path }) => responseOf(path);
  mcp = await openMcp({
    baseUrl: proxy.baseUrl,
    token: 'token-of-this-test',
    args: ['--app', '101', '--allow-writes'],
  });
  await writeFile(join(mcp.folder, 'big.json'), JSON.stringify(bigRecording(STEPS)));
  recording = (await mcp.call('open_recording', { file: 'big.json' })).value.handle;
});
afterAll(async () => {
  await mcp?.close();
  await proxy?.close();
});

function responseOf(path: string): unknown {
  if (path.includes('/publish'))
    return path.includes('actions') ? { action: bigAction(1) } : { app: { ...bigApp(101), version: 2 } };
  if (path.includes('/recording')) return bigRecording(2_000);
  if (path.includes('/revisions/')) return { revision: { revision: 1, createdAt: TIME, action: bigAction(1) } };
  if (path.includes('/data-sources')) return { dataSources: [] };
  if (path.includes('/actions')) return { actions: [1, 2, 3].map(bigAction) };
  if (path.includes('/logs'))
    return { count: 1_000_000, logs: Array.from({ length: 4 }, (_, index) => bigLog(4 - index)) };
  if (path.includes('/sessions')) return { sessions: Array.from({ length: 5_000 }, (_, index) => session(index + 1)) };
  return path.startsWith('/v1/apps')
    ? { apps: Array.from({ length: 1_000 }, (_, index) => bigApp(index + 1)) }
    : undefined;
}

const bigApp = (id: number): object => ({
  id,
  name: `App ${id} ${'with a long name '.repeat(20)}`,
  version: 1,
  createdAt: TIME,
  updatedAt: TIME,
  organizationId: 1,
});

/** About 1 MB, to scale. */
const bigAction = (id: number): object => ({
  id,
  name: `action-${id}`,
  active: true,
  environment: 'any',
  triggers: [{ trigger: 'manual' }],
  functions: Array.from({ length: 5_000 * SCALE }, (_, index) => ({
    functionPackage: 'com.platform.function.return-string',
    settings: { message: `${index} ${'"quotes" and ünïcödé '.repeat(6)}` },
  })),
  published: { active: true, environment: 'any', triggers: [], functions: [{ text: 'x'.repeat(1_000_000 * SCALE) }] },
  createdAt: TIME,
  updatedAt: TIME,
  appId: 101,
  revision: 1,
});

/** About 6 MB, to scale. */
const bigLog = (id: number): object => ({
  id,
  appId: 101,
  type: 'app.task.failed',
  data: { result: { rows: Array.from({ length: 60_000 * SCALE }, (_, row) => ({ row, text: 'x'.repeat(80) })) } },
  createdAt: TIME,
  hasRecording: true,
});

const session = (id: number): object => ({
  id,
  user: { email: `${'long'.repeat(50)}@example.com` },
  lastAccessedAt: TIME,
});

/** A loop with an `if` in each iteration. */
const bigRecording = (steps: number): object => ({
  format: 'platform-devtools/run',
  version: 1,
  startedAt: TIME,
  milliseconds: 10,
  engine: 'server',
  pipeline: [
    {
      type: 'loop',
      range: { from: 1, to: steps - 1 },
      functions: [{ type: 'if', conditions: [{ condition: 'currentItem > 5', functions: [] }] }],
    },
  ],
  payload: {},
  steps: [
    { kind: 'loop', path: '/0', at: 0, milliseconds: 1, state: 'completed', iterations: steps - 1 },
    ...Array.from({ length: steps - 1 }, (_, index) => ({
      kind: 'if',
      path: '/0/functions/0',
      iteration: [index],
      at: 0,
      milliseconds: 0,
      state: 'completed',
      branch: index + 1 > 5 ? 0 : null,
    })),
  ],
  end: { state: 'completed', result: { text: 'x'.repeat(1_000_000 * SCALE) } },
  lost: 0,
});

/** All tools but those that start a browser. */
const CALLS: [tool: string, args: () => Record<string, unknown>][] = [
  ['list_apps', () => ({})],
  ['list_actions', () => ({})],
  ['read_action', () => ({ action: 'action-1' })],
  ['read_action', () => ({ action: 'action-1', copy: 'published' })],
  ['read_action', () => ({ action: 'action-1', revision: 1 })],
  ['list_logs', () => ({})],
  ['list_sessions', () => ({})],
  ['open_recording', () => ({ log: 1 })],
  ['open_recording', () => ({ file: 'big.json' })],
  ['list_steps', () => ({ handle: recording })],
  ['explain_branch', () => ({ handle: recording })],
  ['explain_branch', () => ({ handle: recording, step: '/0/functions/0' })],
  ['replay_recording', () => ({ handle: recording })],
  [
    'replay_recording',
    () => ({ handle: recording, edits: [{ path: '/0/functions/0/conditions/0/condition', value: 'true' }] }),
  ],
  ['read', () => ({ handle: recording })],
  ['read', () => ({ handle: recording, offset: 5_000_000 * SCALE })],
  ['publish_app', () => ({ notes: 'x'.repeat(2_000) })],
  ['publish_action', () => ({ action: 'action-1' })],
];

describe('on big data', () => {
  it.each(CALLS)('a result of %s is below 4 kB', async (tool, args) => {
    const { size, isError, text } = await mcp.call(tool, args());
    expect(isError, text).toBe(false);
    expect(size).toBeLessThanOrEqual(LIMIT);
    expect(size).toBeGreaterThan(tool.startsWith('publish') ? 50 : 150);
  });

  it.each(CALLS.filter(([tool]) => tool !== 'publish_app'))(
    'a result of %s is larger if asked for, and never larger than that',
    async (tool, args) => {
      const { size } = await mcp.call(tool, { ...args(), maxBytes: 20_000 });
      expect(size).toBeLessThanOrEqual(20_000);
    },
  );

  it('the smallest size still has a result', async () => {
    for (const [tool, args] of CALLS.slice(0, 10)) {
      const { size, isError } = await mcp.call(tool, { ...args(), maxBytes: 1_000 });
      expect({ isError, isSmall: size <= 1_000 }, tool).toEqual({ isError: false, isSmall: true });
    }
  });

  it('a list ends with a whole item, and says how to get the next items', async () => {
    const { value } = await mcp.call('list_apps');
    const { shown, total, left, next, data } = value;
    expect({ shown, total, left, next }).toEqual({ shown, total: 1_000, left: 1_000 - shown, next: { offset: shown } });
    expect(data.apps).toHaveLength(shown);
    expect(data.apps.at(-1)).toEqual({
      id: shown,
      name: (bigApp(shown) as { name: string }).name,
      version: 1,
      updatedAt: TIME,
    });
  });

  it('all items of a list can be read one result after the other', async () => {
    const ids: number[] = [];
    let next: Record<string, unknown> | undefined = {};
    while (next) {
      const { value }: Called = await mcp.call('list_apps', { ...next, maxBytes: 100_000 });
      ids.push(...value.data.apps.map(({ id }: { id: number }) => id));
      next = value.next;
    }
    expect(ids).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
  });

  it('what was cut is marked, and can be read as a whole', async () => {
    const { value } = await mcp.call('read_action', { action: 'action-2' });
    expect(value.data.action.functions.at(-1)).toMatch(/^… [\d]+ more items$/);
    let text = '';
    let next: Record<string, unknown> | undefined = { offset: 0 };
    while (next) {
      const piece: Called = await mcp.call('read', { ...next, handle: value.cut.handle, maxBytes: 100_000 });
      text += piece.value.data.text;
      next = piece.value.next;
    }
    const { published: _, ...action } = bigAction(2) as Record<string, unknown>;
    expect(JSON.parse(text).action).toMatchObject(action);
  });
});

describe('handles', () => {
  it('that are wrong have a clear error', async () => {
    for (const tool of ['read', 'list_steps', 'explain_branch', 'replay_recording'])
      expect((await mcp.call(tool, { handle: 'h_AAAAAAAAAAAA' })).value.error.code).toBe('HANDLE_UNKNOWN');
  });

  it('of a text aren’t recordings', async () => {
    const { value } = await mcp.call('read_action', { action: 'action-1' });
    expect((await mcp.call('list_steps', { handle: value.cut.handle })).value.error.code).toBe('HANDLE_OTHER');
  });
});
