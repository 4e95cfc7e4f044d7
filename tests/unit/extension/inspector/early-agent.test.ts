/** Tests the script that the browser starts before the first script of a page that *Open* loads. */
import { afterEach, describe, expect, it } from 'vitest';
import { AGENT_KEY } from '../../../../lib/extension/inspector/agent-protocol.ts';
import { openMarker } from '../../../../lib/shared/open-marker.ts';
import { bundle, openPage, type Page } from './support/page.ts';

let page: Page;
afterEach(() => page.close());

const script = () =>
  bundle({ text: "import { startEarlyAgent } from './lib/extension/inspector/agent/early.ts'; startEarlyAgent();" });

/** In browsers, the prototype of EventTarget has the method itself. */
const LOADING = `Object.defineProperty(Document.prototype, 'readyState', { get: () => 'loading' });
  EventTarget.prototype.addEventListener = EventTarget.prototype.addEventListener;`;

/** A page whose response had these `Server-Timing` entries. Undefined: the browser reports no navigation. */
async function load(timings: { name: string; description: string }[] | undefined, before = ''): Promise<void> {
  page = await openPage({ agent: false, before });
  const entries = timings ? [{ serverTiming: timings }] : [];
  page.run(`performance.getEntriesByType = () => (${JSON.stringify(entries)});`);
  page.run(await script());
}

/** An entry as browsers parse it from a header. */
function entryOf(header: string): { name: string; description: string } {
  const [, name = '', description = ''] = /^([\w-]+);desc="(.*)"$/.exec(header) ?? [];
  return { name, description };
}

describe('the agent that starts with the page', () => {
  it('watches the namespace of the mark before the page’s first script', async () => {
    await load([{ name: 'db', description: '' }, entryOf(openMarker('Acme'))]);
    page.run(`Acme = { Functions: { register() {} }, App: { Actions: { Pipeline: { run() {} } } } };`);
    page.run(`Acme.Functions.register('one', () => 1);`);
    expect(page.agent('state', 'Acme')).toMatchObject({ tracing: 'wrapped', functions: [{ name: 'one' }] });
  });

  it('finds functions of a namespace that isn’t a property of the window', async () => {
    await load([entryOf(openMarker('Platform'))], LOADING);
    page.run(`register = () => {};
      const Platform = { Functions: { register }, App: { Actions: { Pipeline: { run() {} } } } };`);
    // Before the next script runs, the browser reports its element.
    page.run(`document.body.append(document.createElement('p'))`);
    await page.until(() => page.run('Platform.Functions.register !== register') === true);
    page.run(`Platform.Functions.register('one', () => 1);`);
    expect(page.agent('state', 'Platform')).toMatchObject({ platform: 'ready', tracing: 'wrapped' });
  });

  it.each([
    ['a page without the mark', [{ name: 'db', description: 'Platform' }]],
    ['a page whose mark isn’t a namespace', [entryOf(openMarker('a b'))]],
    ['a page whose navigation the browser doesn’t report', undefined],
  ])('does nothing in %s', async (_what, timings) => {
    await load(timings);
    expect(page.run(`Object.hasOwn(globalThis, ${JSON.stringify(AGENT_KEY)})`)).toBe(false);
    expect(page.run(`'Platform' in globalThis`)).toBe(false);
    expect(page.run('String(Object.freeze)')).toContain('freeze');
  });
});
