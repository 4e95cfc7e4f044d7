/** Tests analytics events that the panel sends through a page, whatever the page does with them. */
import { afterEach, describe, expect, it } from 'vitest';
import { AgentConnection, RunInspectorClient } from '../../../../lib/extension/inspector/index.ts';
import { trackEvent } from '../../../../lib/extension/inspector/run/track-event.ts';
import { agentSource, openPage } from './support/page.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The inspector of a page with this `App.Analytics`. */
async function inspect(analytics: string) {
  const page = await openPage({ before: `told = []; Platform = { App: { Analytics: ${analytics} } };`, agent: false });
  const connection = new AgentConnection({ evaluate: (expression) => page.evaluate(expression) }, agentSource);
  const inspector = new RunInspectorClient(connection, { busy: 2, idle: 5 });
  closing.push(
    () => page.close(),
    () => inspector.dispose(),
  );
  await inspector.attach();
  return { page, inspector };
}

describe('an analytics event', () => {
  it('is sent on the page, and returns the actions that it fired once they have ended', async () => {
    const { inspector, page } = await inspect(
      `{ async event(data) { told.push([this === Platform.App.Analytics, data]); await new Promise((go) => setTimeout(go, 5)); return [{ actionId: 7, name: 'count', state: 'completed' }, { actionId: 8, name: 'bad', state: 'failed' }] } }`,
    );
    const data = JSON.parse('{"category":"badge","action":"print","__proto__":{"x":1}}') as Record<string, unknown>;
    expect(await trackEvent(inspector, 'event', data)).toEqual({
      ok: true,
      value: [
        { actionId: 7, name: 'count', state: 'completed' },
        { actionId: 8, name: 'bad', state: 'failed' },
      ],
    });
    expect(JSON.stringify(page.run('told'))).toBe(JSON.stringify([[true, data]]));
  });

  it.each([
    ['nothing', '{ pageView() {} }', null],
    ['no list', '{ pageView: () => ({ length: 1e9 }) }', null],
    [
      'a list of anything',
      '{ pageView: () => [null, 7, { get actionId() { throw 1 } }, { actionId: 1, name: "x".repeat(1e5), state: {} }] }',
      [{ actionId: 1, name: `${'x'.repeat(300)}…`, state: 'completed' }],
    ],
  ])('is handled on a page that returns %s', async (_what, analytics, fired) => {
    const { inspector } = await inspect(analytics);
    expect(await trackEvent(inspector, 'pageView', {})).toEqual({ ok: true, value: fired });
  });

  it('is refused with the page’s code and message', async () => {
    const { inspector } = await inspect(
      `{ async event() { throw Object.assign(new Error('data.action must not be empty.'), { code: 'INVALID' }) } }`,
    );
    expect(await trackEvent(inspector, 'event', {})).toMatchObject({
      ok: false,
      error: { code: 'INVALID', message: 'data.action must not be empty.' },
    });
  });

  it.each([
    ['has no analytics', '{}'],
    ['throws when it is read', '{ get pageView() { throw new Error("no") } }'],
  ])('isn’t sent when the page %s', async (_what, analytics) => {
    const { inspector } = await inspect(analytics);
    expect(await trackEvent(inspector, 'pageView', {})).toMatchObject({
      ok: false,
      error: { code: 'ANALYTICS_ABSENT', message: expect.stringContaining('Analytics') },
    });
  });

  it('is lost with the page that it was sent in', async () => {
    const first = await openPage({
      before: 'Platform = { App: { Analytics: { pageView: () => new Promise(() => {}) } } };',
      agent: false,
    });
    const next = await openPage({ agent: false });
    const tab = { page: first };
    const evaluate = async (expression: string): Promise<string> => {
      const response = await tab.page.evaluate(expression);
      if (expression.includes('agent.call("run","track"')) tab.page = next;
      return response;
    };
    const inspector = new RunInspectorClient(new AgentConnection({ evaluate }, agentSource), { busy: 2, idle: 5 });
    closing.push(
      () => first.close(),
      () => next.close(),
      () => inspector.dispose(),
    );
    await inspector.attach();
    expect(await trackEvent(inspector, 'pageView', {})).toMatchObject({ ok: false, error: { code: 'EVENT_LOST' } });
  });
});
