/** The tools of the MCP server that read, on a real platform. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpTest, openMcp } from '../../support/mcp-client.ts';
import { start, type TestPlatform } from '../support/platform.ts';

let platform: TestPlatform;
let mcp: McpTest;
beforeAll(async () => {
  platform = await start();
  mcp = await openMcp({ baseUrl: platform.baseUrl, token: platform.authToken });
});
afterAll(async () => {
  await mcp?.close();
  await platform?.close();
});

describe('list_apps', () => {
  it('finds an app by a part of its name', async () => {
    console.log(JSON.stringify((await mcp.client.listTools()).tools).length, mcp.client.getServerVersion());
    console.log(await mcp.call('list_apps', { search: 'field' }));
    console.log(await mcp.call('list_actions', { app: 101, search: 'throws' }));
    console.log(await mcp.call('list_actions', { app: 101 }));
    console.log(await mcp.call('read_action', { app: 101, action: 'throws-on-bad-address' }));
    console.log(await mcp.call('list_logs', { app: 101, outcome: 'failed' }));
    console.log(await mcp.call('list_sessions', { app: 101 }));
    console.log(await mcp.call('publish_app', { app: 101, notes: 'x' }));
    console.log(await mcp.call('migrate_action', { app: 101, action: 'throws-on-bad-address' }));
    console.log(await mcp.call('nope', { app: 101, action: 'throws-on-bad-address' }).catch(String));
    console.log(await mcp.call('list_apps', { nope: 1 }).catch(String));
    console.log(mcp.stderr());
    expect(1).toBe(1);
  });
});
