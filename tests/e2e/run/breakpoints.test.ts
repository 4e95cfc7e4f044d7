/** Breakpoints in changed pipelines. Conditions that fail, and those that can’t be added, are up to the exhaustive tests. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DebuggerPage } from '../../../lib/browser-driver/pages/debugger-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';
import { ask } from '../../support/ask.ts';

const ACTION = 'changing-steps';
const step = (name: string, settings: object) => ({ functionPackage: `com.platform.function.${name}`, settings });
const ONE = step('set-context', { assign: { items: '[3, 1, 2]', total: '6' } });
const TWO = step('set-context', { assign: { more: 'total + 1' } });
const END = step('return-string', { message: '{{total}} in total' });

let bed: TestBed;
let actions: string;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
  actions = `/v1/apps/${findAction(bed.platform, 'notify-admins').appId}/actions`;
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

async function create(name: string): Promise<number> {
  const functions = [ONE, TWO, END];
  const { action } = await ask<{ action: { id: number } }>(bed.platform, actions, 'POST', {
    name,
    environment: 'any',
    triggers: [{ trigger: 'manual' }],
    functions,
  });
  return action.id;
}

async function opened(action: string) {
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Local', app: 'Field Service', action });
  await panel.open();
  return { panel, debug: new DebuggerPage(panel) };
}

test('breakpoints survive a reload and a publish, move with their steps, and are listed when their step is gone', async () => {
  const id = await create(ACTION);
  const { panel, debug } = await opened(ACTION);
  await debug.edit('/1', 'Add conditional breakpoint…', { condition: 'total == 6' });
  await debug.toggle('/2');
  const shows = (expected: Record<string, string>) =>
    waitFor('the breakpoints', async () => JSON.stringify(await debug.breakpoints()) === JSON.stringify(expected));
  await shows({ '/1': 'condition', '/2': 'plain' });

  await ask(bed.platform, `${actions}/${id}/publish`, 'POST', { publish: true });
  await panel.inspected.reload();
  await panel.reload();
  await panel.open();
  await shows({ '/1': 'condition', '/2': 'plain' });

  await ask(bed.platform, `${actions}/${id}`, 'PUT', {
    functions: [step('set-context', { assign: { total: '6' } }), ONE, TWO, END],
  });
  await ask(bed.platform, `${actions}/${id}/publish`, 'POST', { publish: true });
  await panel.open();
  await shows({ '/2': 'condition', '/3': 'plain' });
  await panel.start();
  expect(await debug.paused()).toBe('Paused at set-context breakpoint total == 6');
  expect(await debug.pausedRows()).toEqual({ tree: ['/2'], timeline: ['/2'] });
  expect(await debug.step('F8')).toBe('Paused at return-string breakpoint');
  await debug.key('F8');
  expect(await panel.ended()).toBe('completed');

  await ask(bed.platform, `${actions}/${id}`, 'PUT', { functions: [ONE, END] });
  await panel.open();
  await shows({ '/1': 'plain' });
  await debug.openList();
  expect(await debug.gone()).toEqual(['set-context Breakpoint, condition total == 6']);
  await debug.closeList();
  // The step comes back, and so does its breakpoint.
  await ask(bed.platform, `${actions}/${id}`, 'PUT', { functions: [TWO, ONE, END] });
  await panel.open();
  await shows({ '/0': 'condition', '/2': 'plain' });
  await ask(bed.platform, `${actions}/${id}`, 'PUT', { functions: [ONE] });
  await panel.open();
  await shows({});
  await debug.openList();
  expect(await debug.gone()).toEqual(['return-string Breakpoint', 'set-context Breakpoint, condition total == 6']);
  await panel.press('Remove the breakpoint at set-context');
  await waitFor('the other one', async () => (await debug.gone()).length === 1);
  await panel.press('Remove all');
  await waitFor('none', async () => (await debug.gone()).length === 0);
  await debug.closeList();
  expect(await panel.run()).toBe('completed');
});
