/** In real DevTools: why an `if` took its branch, and what was misspelled in a condition that failed. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MocksPage } from '../../../lib/browser-driver/pages/mocks-page.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { inspectSurface, panelSurface } from '../../support/surface.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

const APP = 'Field Service';
const WHY = 'why-mail';
const step = (name: string, settings: object) => ({ functionPackage: `com.platform.function.${name}`, settings });
const WHY_PIPELINE = [
  step('read-datasource', { dataSource: 'People', limit: 3 }),
  {
    type: 'if',
    conditions: [
      { condition: "records.length > 5 && records[0].data.name == 'x'", functions: [] },
      { condition: "records[0].data.emial == 'a@example.com'", functions: [] },
    ],
    elseFunctions: [step('set-context', { assign: { found: 'false' } })],
  },
  {
    type: 'if',
    conditions: [{ condition: "records[0].data.emial.includes('@') || records.length > 2", functions: [] }],
  },
];

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
  const { appId } = findAction(bed.platform, 'notify-admins');
  const action = { name: WHY, environment: 'any', triggers: [{ trigger: 'manual' }], functions: WHY_PIPELINE };
  await ask(`/v1/apps/${appId}/actions`, action);
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

const ask = async (path: string, body?: object): Promise<unknown> => {
  const response = await fetch(`${bed.platform.baseUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'Auth-token': bed.platform.authToken, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
};

async function opened(action: string): Promise<{ panel: PanelPage; mocks: MocksPage }> {
  const panel = await bed.panel();
  await panel.choose({ environment: 'Local', app: APP, action });
  await panel.open();
  return { panel, mocks: new MocksPage(panel) };
}

const inspected = (panel: PanelPage, name: string): Promise<string[]> => inspectSurface(panelSurface(panel), name);

test('an if says why it took its branch, and what was misspelled where it failed', async () => {
  const { panel, mocks } = await opened(WHY);
  await panel.start();
  await waitFor('the failed run', async () => (await panel.runState()) === 'failed');
  const lines = () =>
    panel.frame().$$eval('[data-why-line]', (all) => all.map((line) => (line as HTMLElement).innerText));
  await waitFor('both lines', async () => (await lines()).length === 2);
  expect(await lines()).toEqual([
    `else · 3 > 5 && records[0].data.name == 'x' or when undefined == 'a@example.com'`,
    `✗ records[0].data.emial.includes('@') || records.length > 2`,
  ]);
  expect(await panel.details()).toContain('records[0].data.emial is undefined. Did you mean “email”?');
  expect(await inspected(panel, 'why-error')).toEqual([]);
  await panel.resize(1200);
  await panel.press('Show why');
  await waitFor('the parts', () => panel.frame().$('[data-part=failed]'));
  expect(await panel.details()).toContain('▾ records[0].data.emial undefined ▾ records[0].data {name: "Ada Bakker"');

  await mocks.selectStep('/1');
  const blocks = () =>
    panel.frame().$$eval('[data-why-block]', (all) => all.map((block) => (block as HTMLElement).innerText));
  await waitFor('three blocks', async () => (await blocks()).length === 3);
  const [one, other, otherwise] = await blocks();
  expect(one).toMatch(/^when records\.length > 5 && .* false\n[^]*not evaluated: “false &&” decided/);
  expect(other).toMatch(/^or when [^]*records\[0\]\.data\.emial is undefined\. Did you mean “email”\?/);
  expect(otherwise).toBe('else no condition was true ran');
  expect(await inspected(panel, 'why')).toEqual([]);
});
