/** Pauses runs of an action of the demo data at a breakpoint in its loop. */
import { expect } from 'vitest';
import { DebuggerPage } from '../../lib/browser-driver/pages/debugger-page.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import type { PanelOptions, TestBed } from './test-bed.ts';

export const PAUSED_ACTION = 'notify-admins';
const IF = '/2/functions/0';
/** What the panel says at the first pause. */
export const FIRST_PAUSE = 'Paused at if, iteration 1 breakpoint';

/** Sets the breakpoint in a panel that shows the action. */
export async function withBreakpoint(panel: PanelPage): Promise<DebuggerPage> {
  const debug = new DebuggerPage(panel);
  await debug.removeAll();
  await debug.toggle(IF);
  await waitFor('the breakpoint', async () => (await debug.breakpoints())[IF] === 'plain');
  return debug;
}

export async function pausedRun(
  bed: TestBed,
  place: NonNullable<PanelOptions['in']> = 'page',
): Promise<{ panel: PanelPage; debug: DebuggerPage }> {
  const panel = await bed.panel({ in: place, action: PAUSED_ACTION });
  const debug = await withBreakpoint(panel);
  await panel.start();
  expect(await debug.paused()).toBe(FIRST_PAUSE);
  return { panel, debug };
}

/** The paused run in the list, which has it once it’s stored. */
export const listedRun = (panel: PanelPage): Promise<{ id: string }> =>
  waitFor('the run in the list', async () => (await panel.runs()).find(({ state }) => state === 'running'));

/** Runs the action again, without its breakpoint. */
export async function expectToRunAgain(panel: PanelPage, debug: DebuggerPage): Promise<void> {
  await panel.open();
  await waitFor('the breakpoint', async () => (await debug.breakpoints())[IF] === 'plain');
  await debug.removeAll();
  expect(await panel.run()).toBe('completed');
}
