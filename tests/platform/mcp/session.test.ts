/** A session of a scripted assistant that finds and explains the failing demo action. Writes its transcript. */
import { expect, it } from 'vitest';
import { type Called, startMcp } from '../../support/mcp-client.ts';
import { startForTest } from '../support/platform.ts';

const TRANSCRIPT = '../../../assets/docs/mcp-session.md';
const CHECK = 'com.example.function.check-address';
const HEAD = `# An MCP session

An assistant finds out why an action fails, and what would help. All of it is reading: \`platform-devtools mcp --app 101\`, without
\`--allow-writes\`. \`data\` is what the platform said, which is untrusted. A test runs this session on a local platform and writes this page. Handles, times, and IDs of runs are replaced.`;

it('a scripted session finds the failing demo action, explains it, and replays it with a change that succeeds', async () => {
  const platform = await startForTest({ oauthDemoPort: null });
  await platform.ask('/v1/apps/101/actions/1005/run-with-result', { body: { payload: {} } });
  const mcp = await startMcp({ baseUrl: platform.baseUrl, token: platform.authToken, args: ['--app', '101'] });
  const pages = [HEAD];
  const handles = new Map<string, string>();
  const ask = async (title: string, tool: string, args: Record<string, unknown>): Promise<Called['value']> => {
    const called = await mcp.call(tool, args);
    expect(called.isError, called.text).toBe(false);
    if (called.value.handle) handles.set(called.value.handle, `h_${handles.size + 1}`);
    const shown = (value: unknown): string => normalized(JSON.stringify(value), handles, platform.baseUrl);
    pages.push(`## ${title}`, fence(`${tool} ${shown(args)}`), fence(shown(called.value)));
    return called.value;
  };

  const { data: found } = await ask('Find the action', 'list_actions', { search: 'address' });
  const action = found.actions[0].name as string;
  const { data: log } = await ask('Find a failed run', 'list_logs', { action, outcome: 'failed' });
  const opened = await ask('Open its recording', 'open_recording', { log: log.logs[0].log });
  const { handle } = opened;
  const { path, iteration } = opened.data.recording.end.error as { path: string; iteration: number[] };
  await ask('See which steps failed', 'list_steps', { handle, state: 'failed' });
  const { data: why } = await ask('Ask why it ran in that iteration', 'explain_branch', {
    handle,
    step: path,
    iteration,
  });
  const { email } = why.steps[0].conditions[0].parts.at(-1).value.data as { email: string };
  const condition = `currentItem.data.role === 'manager' && currentItem.data.email !== '${email}'`;
  const edits = [{ path: `${why.steps[0].path}/conditions/0/condition`, value: condition }];
  const { data: first } = await ask('Replay it without that address', 'replay_recording', { handle, edits });
  expect(first.replayed.end).toMatchObject({ state: 'no-outcome', package: CHECK });
  const mocks = [
    { target: { package: CHECK }, outcome: {} },
    { target: { path: '/2' }, outcome: { value: 'All email addresses are valid' } },
  ];
  const { data: last } = await ask('Give outcomes to the calls that the failed run never made', 'replay_recording', {
    handle,
    edits,
    mocks,
  });
  expect(last.replayed.end).toEqual({ state: 'completed', result: 'All email addresses are valid' });
  expect(mcp.stderr()).toBe('');
  await expect(`${pages.join('\n\n')}\n`).toMatchFileSnapshot(TRANSCRIPT);
});

const fence = (text: string): string => `\`\`\`\n${text}\n\`\`\``;

/** Without what differs from run to run. */
function normalized(text: string, handles: ReadonlyMap<string, string>, baseUrl: string): string {
  const known = [...handles].reduce((result, [handle, name]) => result.replaceAll(handle, name), text);
  return known
    .replaceAll(baseUrl, 'http://localhost:4400')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-25T12:00:00.000Z')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replaceAll(/"(at|duration|milliseconds)":[\d.]+/g, '"$1":1');
}
