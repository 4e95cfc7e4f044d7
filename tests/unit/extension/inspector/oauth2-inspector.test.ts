/** Tests the panel's side of the OAuth2 inspector, over the real agent and over a page that forges it. */
import { afterEach, describe, expect, it } from 'vitest';
import { AGENT_KEY, AGENT_PROTOCOL } from '../../../../lib/extension/inspector/agent-protocol.ts';
import { AgentConnection, OAuth2InspectorClient } from '../../../../lib/extension/inspector/index.ts';
import type { OAuth2InspectorEvent } from '../../../../lib/extension/inspector/oauth2/index.ts';
import type { InspectorTransport } from '../../../../lib/extension/inspector/transport.ts';
import { agentSource, openPage, type Page } from './support/page.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function inspect(before: string, transport: Partial<InspectorTransport> = {}, intervals = { busy: 2, idle: 5 }) {
  const page = await openPage({ before, agent: false });
  const tab = {
    page,
    async go(next: string, url?: string) {
      this.page = await openPage({ before: next, agent: false, url });
      closing.push(() => this.page.close());
    },
  };
  const evaluate = (expression: string): Promise<string> => tab.page.evaluate(expression);
  const connection = new AgentConnection({ evaluate, ...transport }, agentSource);
  const inspector = new OAuth2InspectorClient(connection, intervals);
  const emitted: OAuth2InspectorEvent[] = [];
  inspector.subscribe((event) => emitted.push(event));
  closing.push(
    () => inspector.dispose(),
    () => page.close(),
  );
  const events = () => emitted.flatMap((event) => (event.kind === 'events' ? event.events : []));
  return { page, tab, inspector, emitted, events };
}

/** An agent that reports events of these sizes, in characters. */
async function forgedAgent(page: Page, sizes: readonly number[]): Promise<void> {
  const real = await openPage({ before: '' });
  const state = real.port().call('oauth2', 'page', ['Platform', false]);
  await real.close();
  page.run(`
    const state = ${JSON.stringify(state)}, sizes = ${JSON.stringify(sizes)};
    const read = (after, chars) => {
      let events = '';
      for (let n = after; n < sizes.length && (events === '' || events.length < chars); n++)
        events += (events && ',') + '{"n":' + (n + 1) + ',"at":0,"service":"s","kind":"configured"}' + ' '.repeat(sizes[n]);
      return '{"documentId":' + JSON.stringify(JSON.parse(state).documentId) + ',"fingerprint":"","events":[' + events +
        '],"lastSeq":' + sizes.length + ',"dropped":0}';
    };
    Object.defineProperty(window, 'platform-devtools.agent', {
      value: { protocol: ${AGENT_PROTOCOL}, call: (part, method, args) => (method === 'page' ? state : read(args[0], args[1])) },
    });`);
}

const wasTouched = `was = { open: window.open, fetch: window.fetch, addEventListener: document.addEventListener };
  isTouched = () => was.open !== window.open || was.fetch !== window.fetch;`;

describe('the OAuth2 inspector', () => {
  it('doesn’t touch the page before it is attached', async () => {
    const { page, inspector } = await inspect(`${wasTouched} Platform = { OAuth2: () => null };`);
    page.run(await agentSource());
    page.agent('state', 'Platform');
    expect(page.run('isTouched()')).toBe(false);
    await inspector.attach();
    expect(page.run('isTouched()')).toBe(true);
  });

  it('skips and counts a single event that is too large, without losing the page', async () => {
    const { page, inspector, emitted, events } = await inspect('');
    await forgedAgent(page, [0, 5_000_000, 0]);
    await inspector.attach();
    await page.until(() => events().at(-1)?.n === 3);
    expect(events().map(({ n }) => n)).toEqual([1, 3]);
    expect(emitted).toContainEqual(expect.objectContaining({ kind: 'events-dropped', count: 1 }));
    expect(emitted.map(({ kind }) => kind)).not.toContain('page-lost');
  });

  it('reads events one by one when they are too large together', async () => {
    const { page, inspector, emitted, events } = await inspect('');
    await forgedAgent(page, [300_000, 4_000_000, 0]);
    await inspector.attach();
    await page.until(() => events().at(-1)?.n === 3);
    expect(events().map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(emitted.map(({ kind }) => kind)).not.toContain('events-dropped');
  });

  it('reloads with the agent in place before the page’s first script', async () => {
    let script = '';
    const { inspector } = await inspect('', { reload: (given) => void (script = given) });
    expect(await inspector.reloadWithAgent()).toEqual({ ok: true, value: null });
    const reloaded = await openPage({ before: `${script}; Platform = { OAuth2: () => null };`, agent: false });
    closing.push(() => reloaded.close());
    const page = JSON.parse(reloaded.port().call('oauth2', 'page', ['Platform', false])) as object;
    expect(page).toMatchObject({ library: 'ready', tracing: 'wrapped' });
  });

  describe('in a tab that has another page than the one that was shown', () => {
    type Request = [string, (inspector: OAuth2InspectorClient) => Promise<unknown>];
    const OPTION: Request = ['an option', (inspector) => inspector.reveal('secret', ['clientSecret'])];
    const REQUESTS: Request[] = [
      ['a login', (inspector) => inspector.startAction({ action: 'login', service: 'secret' })],
      [
        'an API call',
        (inspector) =>
          inspector.startAction({ action: 'api', service: 'box', path: 'secret', method: 'post', data: '"secret"' }),
      ],
      ['a URL to check', (inspector) => inspector.probe({ url: 'https://secret.test/', mode: 'cors' })],
    ];
    const never = { busy: 1e6, idle: 1e6 };
    const PAGE_LEFT = { code: 'PAGE_LEFT', message: 'The tab has another page now, which got nothing.' };
    const SERVICES = 'fetched = []; fetch = (url) => { fetched.push(url); return new Promise(() => {}) };';

    it.each([...REQUESTS, OPTION])(
      'doesn’t send %s to another origin, which gets nothing of it',
      async (_, request) => {
        const { inspector, tab } = await inspect(SERVICES, {}, never);
        await inspector.attach();
        await tab.go(
          `heard = []; Object.defineProperty(globalThis, ${JSON.stringify(AGENT_KEY)}, {
            configurable: true, get: function f() { heard.push(String(f.caller)); return {
              protocol: ${AGENT_PROTOCOL}, setLookUp() {},
              call: (...given) => { heard.push(JSON.stringify(given)); return 'null' } } } });`,
          'http://other.test/',
        );
        expect(await request(inspector)).toMatchObject({ ok: false, error: PAGE_LEFT });
        expect(tab.page.run('heard.join()')).toBe('');
      },
    );

    it.each(REQUESTS)('doesn’t start %s in another document of the same origin', async (_, request) => {
      const { inspector, tab } = await inspect(SERVICES, {}, never);
      await inspector.attach();
      await tab.go(SERVICES);
      expect(await request(inspector)).toMatchObject({ ok: false, error: PAGE_LEFT });
      expect(tab.page.run('fetched.length')).toBe(0);
    });
  });

  it('says when the browser can’t reload with a script', async () => {
    const { inspector } = await inspect('');
    expect(await inspector.reloadWithAgent()).toMatchObject({ ok: false, error: { code: 'RELOAD_UNSUPPORTED' } });
  });
});
