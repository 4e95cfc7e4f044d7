/** Brings the Run tab into each state that is checked for accessibility, overflow, and looks. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import { DebuggerPage } from '../../lib/browser-driver/pages/debugger-page.ts';
import { fill } from '../../lib/browser-driver/pages/fill.ts';
import { MocksPage } from '../../lib/browser-driver/pages/mocks-page.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { savedFile } from '../../lib/browser-driver/pages/saved-file.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { findAction, type TestBed } from './test-bed.ts';
import { ask } from './ask.ts';
import { click, openMenu, press } from '../../lib/browser-driver/pages/press.ts';

export interface RunState {
  /** The name of its pictures. */
  name: string;
  /** Brings the panel here from the state before; the first one of a list from a new panel. */
  show(panel: PanelPage, bed: TestBed): Promise<void>;
  /** Shows it again after the panel was resized, which closes menus and can arrange the panel in another way. */
  again?(panel: PanelPage): Promise<void>;
  /** Something is open that covers other controls. */
  covers?: true;
}

const IF = '/2/functions/0';
const MAIL = `${IF}/conditions/0/functions/0`;

async function open(panel: PanelPage, bed: TestBed, action: string): Promise<void> {
  await panel.choose({ environment: 'Local', app: findAction(bed.platform, action).app, action });
  await panel.open();
}

const has = async (panel: PanelPage, selector: string): Promise<boolean> => (await panel.frame().$(selector)) !== null;

const DEBUGGER: RunState[] = [
  {
    name: 'debug-breakpoint-editor',
    async show(panel, bed) {
      const debug = new DebuggerPage(panel);
      await open(panel, bed, 'notify-admins');
      await debug.removeAll();
      await debug.toggle(IF);
      await debug.edit('/3', 'Add conditional breakpoint…', { condition: 'notified > 2', hits: '2' });
      await debug.pick(MAIL, 'Add logpoint…');
      await debug.fillIn({
        log: 'Sending to {{currentItem.data.name}}',
        condition: 'currentItem.data.city == "Utrecht"',
      });
    },
    covers: true,
  },
  {
    name: 'debug-paused',
    async show(panel) {
      await panel.press('Add');
      await panel.start();
      await new DebuggerPage(panel).paused();
    },
  },
  {
    name: 'debug-watch',
    async show(panel) {
      const debug = new DebuggerPage(panel);
      for (const source of ['currentItem.data', 'notified + 1', 'currentItem.nothing.name']) await debug.watch(source);
    },
  },
  {
    name: 'debug-context',
    async show(panel) {
      const debug = new DebuggerPage(panel);
      await debug.tab('context');
      await panel.press('Edit');
      await debug.replaceContext('"notified": 0', '"notified": ');
    },
  },
  {
    name: 'debug-outcome',
    async show(panel) {
      await panel.press('Discard');
      await new DebuggerPage(panel).outcome('branch');
    },
  },
  {
    name: 'debug-failure',
    async show(panel, bed) {
      await panel.press('Cancel');
      await panel.press('Stop the run');
      await panel.ended();
      await open(panel, bed, 'throws-on-bad-address');
      await panel.press('Pause on failure');
      await panel.start();
      await new DebuggerPage(panel).paused();
    },
  },
  {
    name: 'debug-from-recording',
    async show(panel, bed) {
      const debug = new DebuggerPage(panel);
      await panel.press('Pause on failure');
      await panel.press('Stop the run');
      await panel.ended();
      await open(panel, bed, 'notify-admins');
      await debug.removeAll();
      await panel.run();
      await panel.frame().select('select[name=steps-shown]', `path:${MAIL}`);
      await click(panel.frame(), `[data-timeline] [data-path="${MAIL}"][data-iteration="16"]`);
      await waitFor('the recording', async () => {
        await panel.press('More');
        const item = await panel.frame().$('control/Run from here…[role="menuitem"]');
        if ((await item?.evaluate((element) => element.getAttribute('aria-disabled'))) === null) return true;
        await debug.key('Escape');
        return false;
      });
      await press(panel.frame(), 'Run from here…', { role: 'menuitem' });
      await panel.press('Pause there first');
      await debug.paused();
    },
  },
];

const compared = (panel: PanelPage): Promise<true> =>
  waitFor('the comparison of whole values', () => has(panel, '[data-compare=ready][data-wholeness=whole]'));

/** Selects the input of a step, which shows both whole values. */
async function openInput(panel: PanelPage): Promise<void> {
  await compared(panel);
  await click(panel.frame(), '[data-compare-rows] [data-row] ::-p-text(#12)');
  await click(panel.frame(), '[data-compare-detail] [data-aspect=input]');
  await waitFor('both whole values', async () => (await panel.frame().$$('.both-values [role=tree]')).length === 2);
}

/** Changes what the page’s data source returns, in the text of its response. */
async function answerWith(panel: PanelPage, ...[from, to]: [from: string, to: string]): Promise<void> {
  await panel.inspected.evaluate(
    (from, to) => {
      const page = globalThis as unknown as { fetch: typeof fetch; realFetch?: typeof fetch };
      const real = (page.realFetch ??= page.fetch);
      page.fetch = async (...given) =>
        new Response((await (await real(...given)).text()).replace(from, to), {
          headers: { 'Content-Type': 'application/json' },
        });
    },
    from,
    to,
  );
}

async function compareRuns(panel: PanelPage, bed: TestBed): Promise<void> {
  await open(panel, bed, 'throws-on-bad-address');
  await answerWith(panel, '(at)', '@');
  await panel.run();
  await answerWith(panel, '(at)', '(at)');
  await panel.run();
  await waitFor('both runs in the list', async () => (await panel.runs()).length >= 2);
  await panel.press('Compare');
  await compared(panel);
}

async function openIgnored(panel: PanelPage): Promise<void> {
  await compared(panel);
  await openMenu(panel.frame(), '[data-ignored]', '.ignored-menu', 'li');
}

const COMPARISON: RunState[] = [
  { name: 'compare-differs', show: compareRuns },
  { name: 'compare', show: openInput, again: openInput },
  {
    name: 'compare-volatile',
    async show(panel) {
      await click(panel.frame(), '[data-compare-rows] [data-row] ::-p-text(#12)');
      await click(panel.frame(), '[data-compare-detail] [data-aspect="input 0"]');
      await panel.press('Ignore “email” everywhere');
      await waitFor('what is ignored', async () =>
        (await panel.frame().$eval('[data-ignored-count]', (text) => (text as HTMLElement).innerText)).includes(
          'ignored as volatile',
        ),
      );
      await openIgnored(panel);
    },
    again: openIgnored,
    covers: true,
  },
];

/** The file of a failed run’s recording, which the panel shows. */
async function recordingOf(panel: PanelPage, bed: TestBed): Promise<string> {
  await open(panel, bed, 'throws-on-bad-address');
  await panel.run();
  await panel.press('This run');
  await waitFor('the stored recording', () => panel.canPress('Export run'));
  return (await savedFile(panel.frame(), () => panel.press('Export run'))).text;
}

async function importRecording(panel: PanelPage, text: string): Promise<void> {
  const path = resolve(await mkdtemp(resolve(tmpdir(), 'recordings-')), 'a.run.json');
  await writeFile(path, text);
  const input = await panel.frame().$('input[aria-label="File of runs to import"]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(path);
}

async function command(panel: PanelPage, name: string, notice: string): Promise<void> {
  await panel.press('This run');
  await panel.press(name);
  await waitFor(`the notice ${notice}`, () => panel.notice(notice));
}

const RECORDING_MENU = '.menu.commands:popover-open';

async function openRecordingMenu(panel: PanelPage): Promise<void> {
  if (await has(panel, RECORDING_MENU)) {
    await panel.devtools.keyboard.press('Escape');
    await waitFor('the closed menu', async () => !(await has(panel, RECORDING_MENU)));
  }
  await panel.press('This run');
  await waitFor('the menu', () => has(panel, RECORDING_MENU));
}

const RECORDING: RunState[] = [
  {
    name: 'recording-from-file',
    async show(panel, bed) {
      const text = await recordingOf(panel, bed);
      await panel.inspected.goto('about:blank');
      await panel.reload();
      await importRecording(panel, text);
      await waitFor('the run of the recording', async () => (await panel.runState()) === 'failed');
      await press(panel.frame(), 'Context', { role: 'tab' });
      await panel.press('Before');
      await waitFor('the whole context', () => has(panel, '[aria-label="Context before"]'));
    },
  },
  { name: 'recording-menu', show: openRecordingMenu, again: openRecordingMenu, covers: true },
  {
    name: 'recording-replayed',
    async show(panel) {
      await panel.press('Replay');
      await waitFor('the notice', () => panel.notice('REPLAY_SAME'));
    },
  },
  { name: 'recording-test-saved', show: (panel) => command(panel, 'Copy as test', 'TEST_SAVED') },
  {
    name: 'recording-what-if',
    async show(panel) {
      await panel.press('This run');
      await panel.press('What if…');
      await waitFor('the editor', () => has(panel, '[data-what-if]'));
      await panel.frame().select('select[name=what-if-step]', '/1/functions/0');
      await fill(panel.frame(), 'input[name=what-if-field]', "currentItem.data.role === 'none'");
    },
  },
  {
    name: 'recording-no-outcome',
    async show(panel) {
      await panel.press('Replay with changes');
      await waitFor('the notice', () => panel.notice('WHAT_IF_NO_OUTCOME'));
    },
  },
];

const RECORDING_CHANGED: RunState[] = [
  {
    name: 'recording-smallest',
    async show(panel, bed) {
      await recordingOf(panel, bed);
      await command(panel, 'Find the smallest failing payload', 'SMALLEST_FOUND');
    },
  },
  {
    name: 'recording-differs',
    async show(panel, bed) {
      const changed = JSON.parse(await recordingOf(panel, bed)) as {
        steps: { branch?: number | null }[];
      };
      changed.steps.find(({ branch }) => branch === 0)!.branch = null;
      await importRecording(panel, JSON.stringify(changed));
      await waitFor('the run of the file', async () =>
        (await panel.frame().$eval('.run-head', (head) => (head as HTMLElement).innerText)).includes('from file'),
      );
      await command(panel, 'Replay', 'REPLAY_DIFFERENT');
      await panel.press('Show step');
    },
  },
];

const SETS = {
  format: 'platform-devtools/mocks',
  version: 1,
  sets: [
    { name: 'first', mocks: [{ target: { path: '/3' }, outcome: { value: 'by path' } }] },
    {
      name: 'second',
      mocks: [
        { target: { package: 'com.platform.function.send-email' }, outcome: { value: 'by package' } },
        { target: { path: '/9' }, outcome: { value: 'nowhere' } },
      ],
    },
  ],
};

const MOCKS: RunState[] = [
  {
    name: 'mocks-run',
    async show(panel, bed) {
      const mocks = new MocksPage(panel);
      await open(panel, bed, 'notify-admins');
      await new DebuggerPage(panel).removeAll();
      await panel.run();
      await mocks.selectStep(MAIL, '0');
      await mocks.mockOutcome('offline mail');
      await mocks.says('Mocks: offline mail 1 on');
      await panel.run();
    },
  },
  {
    name: 'mocks-menu',
    async show(panel) {
      const mocks = new MocksPage(panel);
      await mocks.turn('Dry run', true);
      await mocks.openMenu();
    },
    again: (panel) => new MocksPage(panel).openMenu(),
    covers: true,
  },
  {
    name: 'mocks-problems',
    async show(panel, bed) {
      const mocks = new MocksPage(panel);
      await mocks.turn('Dry run', false);
      await open(panel, bed, 'weekly-report');
      await mocks.openEditor();
      await mocks.removeSets();
      await mocks.importText(JSON.stringify(SETS));
      await waitFor('both sets', async () => (await mocks.sets()).length === 2);
      await mocks.closeEditor();
      for (const { name } of SETS.sets) await mocks.turn(name, true);
      await mocks.openEditor();
      await mocks.selectSet('second');
    },
  },
];

const step = (name: string, settings: object) => ({ functionPackage: `com.platform.function.${name}`, settings });

/** Why an `if` took its branch, and what was misspelled in one that failed. */
export const WHY_ACTION = {
  name: 'why-mail',
  environment: 'any',
  triggers: [{ trigger: 'manual' }],
  functions: [
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
  ],
};

/** Creates an action in the app Field Service of the demo data. */
export async function createAction({ platform }: TestBed, action: object): Promise<void> {
  const { appId } = findAction(platform, 'notify-admins');
  await ask(platform, `/v1/apps/${appId}/actions`, 'POST', action);
}

const WHY: RunState[] = [
  {
    name: 'why-error',
    async show(panel, bed) {
      await createAction(bed, WHY_ACTION);
      await panel.choose({ environment: 'Local', app: 'Field Service', action: WHY_ACTION.name });
      await panel.open();
      await panel.run();
      await waitFor('why', () => has(panel, '[data-why-line]'));
    },
  },
  {
    name: 'why',
    async show(panel) {
      await panel.press('Show why');
      await waitFor('the parts', () => has(panel, '[data-part=failed]'));
      await new MocksPage(panel).selectStep('/1');
      await waitFor('three blocks', async () => (await panel.frame().$$('[data-why-block]')).length === 3);
    },
  },
];

/**
 * Each list starts in a new panel of a bed with its own platform, which is entered as “Local”. Each state is reached from
 * the one before it.
 */
export const RUN_STATES: readonly (readonly RunState[])[] = [
  DEBUGGER,
  COMPARISON,
  RECORDING,
  RECORDING_CHANGED,
  MOCKS,
  WHY,
];
