/** The states of the Run tab that every run has, in a large and a small panel, and of the list of all runs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import type { AgentEvent, AgentEventBody } from '../../../lib/extension/inspector/contract.ts';
import { type FileRun, writeRunFile } from '../../../lib/extension/panel/run/history/run-file.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { RunState } from '../run-states.ts';
import { panelSurface } from '../surface.ts';
import { findAction } from '../test-bed.ts';
import { PanelTour, type Place } from './tour.ts';

const event = (n: number, body: AgentEventBody): AgentEvent =>
  ({ ...body, n, at: n, runId: 'partly-stored' }) as AgentEvent;
const step = (n: number, id: number, path: string, parent: number | null): AgentEvent =>
  event(n, {
    kind: 'step-started',
    step: id,
    parent,
    path,
    iteration: parent === null ? [] : [0],
    stepKind: parent === null ? 'loop' : 'function',
    name: parent === null ? 'loop' : 'com.example.function.import',
    settings: { t: 'undefined' },
  });
/** A run that is stored in part, of another base URL. */
export const PARTLY_STORED: FileRun = {
  record: {
    id: 'partly-stored',
    subject: 'https://platform.example/7/9',
    title: 'Other · import',
    number: 3,
    payload: '{}',
    startedAt: Date.UTC(2026, 10, 1),
    state: 'completed',
    milliseconds: 4_400,
    tracing: 'observed',
    error: null,
    size: 0,
    cut: true,
    steps: { total: 50_003, stored: 2 },
  },
  events: [
    event(1, {
      kind: 'run-started',
      tracing: 'observed',
      payload: { t: 'object', size: 0, entries: [] },
      context: { t: 'object', size: 0, entries: [] },
      startedAt: Date.UTC(2026, 10, 1),
    }),
    step(2, 1, '/0', null),
    step(3, 2, '/0/functions/0', 1),
    event(150_000, { kind: 'run-ended', state: 'completed', milliseconds: 4_400 }),
  ],
};

const BUTTONS = ['Open', 'Run', 'Stop'];

export async function visitRun(place: Place): Promise<void> {
  const tour = new PanelTour(place);
  const { panel } = tour;
  const open = async (action: string): Promise<void> => {
    await panel.choose({ app: findAction(place.bed.platform, action).app, action });
    await panel.open();
    await waitFor(`${action} in the tab`, () => panel.canPress('Run'));
  };
  await panel.inspected.goto('about:blank');
  await tour.reset();
  await panel.choose({ environment: 'Local' });
  await tour.look('panel-elsewhere', { buttons: BUTTONS });
  await open('notify-admins');
  await tour.look('panel-opened', { buttons: BUTTONS, repeats: true });
  await panel.run();
  await tour.look('panel-completed');
  await open('throws-on-bad-address');
  await panel.run();
  await tour.look('panel-failed', { buttons: BUTTONS });
  await panel.choose({ action: 'never-ends' });
  await tour.look('panel-other-selected', { buttons: ['Open', 'Open and run never-ends', 'Stop'], repeats: true });
  await panel.press('Open and run never-ends');
  await tour.shows('[data-run-state=running] [data-step]');
  // The action can run before the worker reports that its page is open.
  await waitFor('the button Open', () => panel.canPress('Open'));
  await tour.look('panel-running', { buttons: BUTTONS, repeats: true });
  await panel.press('Stop');
  await panel.ended();
  await visitAllRuns(tour);
}

async function visitAllRuns(tour: PanelTour): Promise<void> {
  const { panel } = tour;
  const frame = panel.frame();
  await panel.press('All runs');
  await waitFor('the runs', async () => (await frame.$$('[data-any-run]')).length >= 2);
  await frame.type('input[aria-label="Search runs"]', 'notify-admins completed');
  await waitFor('the run of another action', async () => (await frame.$$('[data-any-run]')).length === 1);
  await tour.click('[data-any-run]');
  await tour.shows('.timeline [data-step]');
  await panel.press('Pin');
  await tour.shows('[data-any-run] [aria-label=pinned]');
  await tour.look('panel-all-runs', { buttons: ['Back', 'Pin', 'Remove'] });
  if (!tour.isBrief) {
    await importRun(tour, PARTLY_STORED);
    await tour.look('panel-partly-stored');
    await panel.press('Remove');
  }
  await panel.press('Back');
}

/** Imports a run into the list of all runs, and waits for its timeline. */
export async function importRun(tour: Pick<PanelTour, 'panel'>, run: FileRun): Promise<void> {
  const frame = tour.panel.frame();
  const folder = await mkdtemp(resolve(tmpdir(), 'runs-'));
  const file = resolve(folder, 'runs.json');
  await writeFile(file, writeRunFile([run]));
  const input = await frame.$('input[aria-label="File of runs to import"]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(file);
  await frame.waitForSelector(`[data-any-run="${run.record.id}"][aria-selected=true]`);
  await frame.waitForSelector('.timeline [data-step]');
  await rm(folder, { recursive: true });
}

/** The states of debugging, comparisons, recordings, mocks, and reasons. Each list begins with a panel as new. */
export async function visitRunViews({ bed, look }: Place, states: readonly RunState[]): Promise<void> {
  // The next panel is this one again.
  await bed.closeTabs();
  const panel = await bed.panel({ in: 'page' });
  for (const { name, show, again, covers = false } of states) {
    await show(panel, bed);
    const surface = panelSurface(panel);
    const resize = async (width: number, height?: number): Promise<void> => {
      await surface.resize(width, height);
      await again?.(panel);
    };
    await look({ ...surface, resize }, name, { covers });
    await resize(1200);
  }
}
