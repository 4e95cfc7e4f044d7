/** Tests analytics events that the panel sends through a page, whatever the page does with them. */
import { afterEach, describe, expect, it } from 'vitest';
import { AgentConnection, PageApi } from '../../../../lib/extension/inspector/index.ts';
import type { PageState } from '../../../../lib/extension/inspector/contract.ts';
import { trackEvent } from '../../../../lib/extension/inspector/api/track-event.ts';
import { agentSource, openPage } from './support/page.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A page with this `App.Analytics`, and the panel's way to call it. */
async function inspect(analytics: string) {
  const page = await openPage({
    before: `told = []; ENV = { appId: 1 }; Platform = { App: { Analytics: ${analytics} } };`,
    agent: false,
  });
  const connection = new AgentConnection({ evaluate: (expression) => page.evaluate(expression) }, agentSource);
  closing.push(() => page.close());
  const track = async (method: 'pageView' | 'event', data: Record<string, unknown>) =>
    trackEvent(new PageApi(connection), await targetOf(connection), method, data);
  return { page, track };
}

/** The page that the agent is in. */
async function targetOf(connection: AgentConnection) {
  const state = await connection.call('run', 'state', ['Platform'], (value) => value as PageState);
  if (!state.ok) throw new Error(state.error.message);
  return { documentId: state.value.documentId, appId: 1, namespace: 'Platform' };
}

describe('an analytics event', () => {
  it('is sent on the page, and returns the actions that it fired once they have ended', async () => {
    const { track, page } = await inspect(
      `{ async event(data) { told.push([this === Platform.App.Analytics, data]); await new Promise((go) => setTimeout(go, 5)); return [{ actionId: 7, name: 'count', state: 'completed' }, { actionId: 8, name: 'bad', state: 'failed' }] } }`,
    );
    const data = JSON.parse('{"category":"badge","action":"print","__proto__":{"x":1}}') as Record<string, unknown>;
    expect(await track('event', data)).toEqual({
      ok: true,
      value: {
        actions: [
          { actionId: 7, name: 'count', state: 'completed' },
          { actionId: 8, name: 'bad', state: 'failed' },
        ],
        unread: 0,
      },
    });
    expect(JSON.stringify(page.run('told'))).toBe(JSON.stringify([[true, data]]));
  });

  it.each([
    ['nothing', '{ pageView() {} }', null],
    ['no list', '{ pageView: () => ({ length: 1e9 }) }', null],
    [
      'a list of anything',
      '{ pageView: () => [null, 7, { get actionId() { throw 1 } }, { actionId: 1, name: "x".repeat(1e5), state: {} }] }',
      { actions: [{ actionId: 1, name: `${'x'.repeat(300)}…`, state: 'unknown' }], unread: 3 },
    ],
  ])('is handled on a page that returns %s', async (_what, analytics, fired) => {
    const { track } = await inspect(analytics);
    expect(await track('pageView', {})).toEqual({ ok: true, value: fired });
  });

  it('is refused with the page’s code and message', async () => {
    const { track } = await inspect(
      `{ async event() { throw Object.assign(new Error('data.action must not be empty.'), { code: 'INVALID', status: 422 }) } }`,
    );
    expect(await track('event', {})).toMatchObject({
      ok: false,
      error: { code: 'INVALID', message: 'data.action must not be empty.' },
    });
  });

  it('may have been sent if the page rejects without a refusal of the platform', async () => {
    const { track } = await inspect(`{ async event() { throw new TypeError('Failed to fetch') } }`);
    expect(await track('event', {})).toMatchObject({
      ok: false,
      error: {
        code: 'OUTCOME_UNKNOWN',
        message:
          'Couldn’t confirm whether the event was sent, and which actions it fired: the page reported “Failed to fetch”.',
      },
    });
  });

  it.each([
    ['has no analytics', '{}'],
    ['throws when it is read', '{ get pageView() { throw new Error("no") } }'],
  ])('isn’t sent when the page %s', async (_what, analytics) => {
    const { track } = await inspect(analytics);
    expect(await track('pageView', {})).toMatchObject({
      ok: false,
      error: { code: 'ANALYTICS_ABSENT', message: expect.stringContaining('Analytics') },
    });
  });

  it('may have been sent if the page was left', async () => {
    const first = await openPage({
      before: 'ENV = { appId: 1 }; Platform = { App: { Analytics: { pageView: () => new Promise(() => {}) } } };',
      agent: false,
    });
    const next = await openPage({ agent: false });
    const tab = { page: first };
    const evaluate = async (expression: string): Promise<string> => {
      const response = await tab.page.evaluate(expression);
      if (expression.includes('agent.call("api","call"')) tab.page = next;
      return response;
    };
    const connection = new AgentConnection({ evaluate }, agentSource);
    closing.push(
      () => first.close(),
      () => next.close(),
    );
    expect(await trackEvent(new PageApi(connection), await targetOf(connection), 'pageView', {})).toMatchObject({
      ok: false,
      error: { code: 'OUTCOME_UNKNOWN' },
    });
  });
});
