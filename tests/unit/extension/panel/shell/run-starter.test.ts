/** What *Run* does: runs the page’s action, or first opens the selected one. */
import { effect, signal } from '@preact/signals';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PageRun } from '../../../../../lib/extension/panel/shell/page/page-run.ts';
import type { Guard } from '../../../../../lib/extension/panel/shared/production-guard.ts';
import { RunStarter } from '../../../../../lib/extension/panel/shell/run-starter.ts';
import { observedRuntime, openPage } from '../../inspector/support/page.ts';
import { ALWAYS_ALLOWED } from '../../../../support/always-allowed.ts';
import { closing, openPanel } from './open-panel.ts';

const ENVIRONMENT = { id: 'e', name: 'Local', preset: 'local', baseUrl: 'http://localhost', namespace: 'Platform' };
const actionOf = (id: number, name: string) => ({ id, name, appId: 1, triggers: [], functions: [] });
const pageOf = (taskId: number, script = '') =>
  openPage({
    url: `http://localhost/v1/apps/1/tasks/${taskId}/compile?html`,
    before: `${observedRuntime} ENV.taskId = ${taskId}; ${script}`,
    agent: false,
  });

/** The panel on the page of `first`, action 2 of app 1, which also has `second`, action 3. */
async function openOnFirst({
  refusal = null,
  environment = ENVIRONMENT,
}: { refusal?: object | null; environment?: object } = {}) {
  const opened: unknown[] = [];
  const bed = await openPanel(observedRuntime, {
    respond: {
      'environments.list': { ok: true, value: [environment] },
      'apps.list': { ok: true, value: [{ id: 1, name: 'App', organizationId: 5 }] },
      'actions.list': { ok: true, value: [actionOf(2, 'first'), actionOf(3, 'second')] },
      'debugPage.open': async ({ taskId }: { taskId: number }) => {
        if (refusal) return refusal;
        opened.push(taskId);
        bed.tab.page = await pageOf(taskId);
        closing.push(() => bed.tab.page.close());
        return { ok: true, value: { url: '' } };
      },
    },
  });
  await bed.tab.page.until(() => bed.panel.catalog.actions.value.state === 'ready');
  return { ...bed, opened };
}

type LoadState = { documentId: string; ready: boolean };

/** A starter for a page in this state, with fake timers. */
function fakeStarter(
  before: LoadState,
  options: {
    toOpen?: object;
    cannotApply?: string;
    isSavedHere?: boolean;
    after?: LoadState | null;
    guard?: Guard;
    pageRun?: () => PageRun;
  } = {},
) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [report, start] = [vi.fn(), vi.fn()];
  const shown = signal<{ record: { id: string } } | null>(null);
  const state = signal<LoadState | null>(before);
  const page = {
    lost: signal(null),
    pause: signal(null),
    hint: signal(null),
    noPipeline: signal(null),
    state,
    inspect: () => Promise.resolve(),
  };
  const replace = () => {
    state.value = options.after ?? null;
    return Promise.resolve(true);
  };
  const starter = new RunStarter({
    catalog: { cannotOpen: signal(null), environments: signal({ state: 'ready', value: [] }) },
    guard: options.guard ?? ALWAYS_ALLOWED,
    pageRun: options.pageRun ?? (() => ({ environmentId: null, question: { title: '' } })),
    page,
    payloads: { text: signal('{}'), check: signal({ problem: null }) },
    runs: { live: signal(null), starting: signal(false), report, start, shown },
    toOpen: signal(options.toOpen ?? null),
    mocks: { cannotApply: signal(options.cannotApply ?? null), isLoaded: signal(true), whenLoaded: async () => {} },
    version: { isSavedHere: signal(options.isSavedHere ?? false) },
    engine: { chosen: signal('platform') },
    open: replace,
    reload: replace,
  } as never);
  return { report, start, page, starter, shown };
}

/** *Run* after the page was opened or reloaded, which leaves the page in this state. */
function prepareRun(kind: 'open' | 'reload', after: LoadState | null) {
  const isOpening = kind === 'open';
  const options = isOpening ? { toOpen: { name: 'second' }, after } : { isSavedHere: true, after };
  const bed = fakeStarter({ documentId: 'old', ready: true }, options);
  return { ...bed, running: isOpening ? bed.starter.run() : bed.starter.runInPage('{}') };
}

function runWhileLoading() {
  const bed = fakeStarter({ documentId: 'old', ready: false });
  return { ...bed, running: bed.starter.run() };
}

describe('Run', () => {
  it('runs the action in the tab while the toolbar selects it', async () => {
    const { panel, finished, opened } = await openOnFirst();
    expect(panel.catalog.actionId.value).toBe(2);
    expect(panel.starter.label.value).toBe('Run');
    expect(panel.isSelectedInTab.value).toBe(true);
    await panel.run();
    await finished('completed');
    expect(opened).toEqual([]);
  });

  it('names the selected action while the tab has another one, and opens it first', async () => {
    const { panel, tab, finished, opened } = await openOnFirst();
    panel.catalog.chooseAction(3);
    expect(panel.starter.label.value).toBe('Open and run second');
    expect(panel.isSelectedInTab.value).toBe(false);
    expect(panel.cannotRun.value).toBeNull();
    await panel.mocks.whenLoaded();
    const running = panel.run();
    expect(panel.starter.label.value).toBe('Opening…');
    expect(panel.cannotRun.value).toBe('Wait for the page to open');
    await Promise.all([running, panel.run()]);
    await finished('completed');
    expect(opened).toEqual([3]);
    expect(panel.runs.records.value).toMatchObject([{ title: 'App · second', subject: 'http://localhost/1/3' }]);
    expect(panel.starter.label.value).toBe('Run');
    await tab.page.until(() => panel.cannotRun.value === null);
  });

  it('keeps its width while Open opens the page, so that no button moves below the pointer', async () => {
    const { panel } = await openOnFirst();
    for (const action of [2, 3]) {
      panel.catalog.chooseAction(action);
      const labels = new Set<string>();
      const opening = panel.open();
      const stop = effect(() => void labels.add(panel.starter.label.value));
      await opening;
      stop();
      expect([...labels]).toEqual(['Run']);
    }
  });

  it('runs the action in a reloaded page that the panel doesn’t know yet', async () => {
    const { panel, tab, finished } = await openOnFirst();
    tab.page = await pageOf(2);
    closing.push(() => tab.page.close());
    await panel.run();
    await finished('completed');
    expect(panel.runs.records.value).toHaveLength(1);
  });

  it('asks with the functions of a reloaded page that the panel doesn’t know yet', async () => {
    const { panel, tab } = await openOnFirst({ environment: { ...ENVIRONMENT, production: true } });
    tab.page = await pageOf(2, `ENV.taskPipeline = [{ functionPackage: 'new-function' }];`);
    closing.push(() => tab.page.close());
    const running = panel.run();
    await vi.waitFor(() => expect(panel.guard.question.value).not.toBeNull());
    expect(panel.guard.question.value?.question.effect).toContain('new-function');
    panel.guard.cancel();
    await running;
    expect(panel.runs.records.value).toEqual([]);
  });

  it('runs nothing if the tab has another action that the panel doesn’t know yet', async () => {
    const { panel, tab } = await openOnFirst();
    tab.page = await pageOf(3);
    closing.push(() => tab.page.close());
    await panel.run();
    expect(panel.runs.error.value?.message).toBe(
      'Couldn’t run the action: the tab shows another page. Nothing was run.',
    );
    expect(panel.runs.records.value).toEqual([]);
  });

  it('asks if it’s unknown whether the page is production', async () => {
    const error = { code: 'VAULT_DAMAGED', message: 'No.' };
    const { panel } = await openPanel(observedRuntime, { respond: { 'environments.list': { ok: false, error } } });
    const running = panel.run();
    await vi.waitFor(() => expect(panel.guard.question.value).toMatchObject({ environment: null }));
    expect(panel.runs.records.value).toEqual([]);
    panel.guard.cancel();
    await running;
    expect(panel.runs.records.value).toEqual([]);
  });

  it('sends the selected action the payload that was edited for it, not the one of the page', async () => {
    const { panel, finished } = await openOnFirst();
    panel.payloads.setText('{"of":"first"}');
    panel.catalog.chooseAction(3);
    expect(panel.payloads.text.value).toBe('{}');
    expect(panel.templateSubject.value).toMatchObject({ appId: 1, organizationId: 5, action: { name: 'second' } });
    panel.payloads.setText('{"of":"second"}');
    await panel.run();
    await finished('completed');
    expect(panel.runs.shown.value?.record.payload).toBe('{"of":"second"}');
    panel.catalog.chooseAction(2);
    expect(panel.payloads.text.value).toBe('{"of":"first"}');
  });

  it('runs nothing if the selected action doesn’t open', async () => {
    const { panel } = await openOnFirst({
      refusal: { ok: false, error: { code: 'NOT_FOUND', message: 'Gone.', hint: '' } },
    });
    panel.catalog.chooseAction(3);
    await panel.run();
    expect(panel.catalog.error.value?.code).toBe('NOT_FOUND');
    expect(panel.starter.label.value).toBe('Open and run second');
    expect(panel.runs.records.value).toEqual([]);
  });

  it.each([
    ['open', 'isn’t ready in time', null, 'its page wasn’t ready within 15 seconds'],
    ['open', 'isn’t the selected action’s', { documentId: 'new', ready: true }, 'the tab shows another page'],
    ['reload', 'isn’t ready in time', { documentId: 'old', ready: true }, 'its page wasn’t ready within 15 seconds'],
  ] as const)('says so if the page to %s %s', async (kind, _how, state, cause) => {
    const { report, start, running } = prepareRun(kind, state);
    await vi.advanceTimersByTimeAsync(15_000);
    await running;
    expect(report.mock.calls).toMatchObject([
      [{ code: 'PAGE_NOT_READY', message: `Couldn’t run the action: ${cause}. Nothing was run.` }],
    ]);
    expect(start).not.toHaveBeenCalled();
  });

  it('waits for the scripts of the new page, which register the functions', async () => {
    const { start, running, page } = prepareRun('reload', { documentId: 'new', ready: false });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(start).not.toHaveBeenCalled();
    page.state.value = { documentId: 'new', ready: true };
    await running;
    expect(start).toHaveBeenCalledOnce();
  });

  it('runs in a page that doesn’t finish loading, as when an image hangs', async () => {
    const { start, report, running } = prepareRun('reload', { documentId: 'new', ready: false });
    await vi.advanceTimersByTimeAsync(15_000);
    await running;
    expect(start).toHaveBeenCalledOnce();
    expect(report).not.toHaveBeenCalled();
  });

  it('waits until the page has loaded before it starts', async () => {
    const { start, running, page } = runWhileLoading();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(start).not.toHaveBeenCalled();
    page.state.value = { documentId: 'old', ready: true };
    await running;
    expect(start).toHaveBeenCalledOnce();
  });

  describe('while it waits for the page', () => {
    const pageRun = (environmentId: string | null, action: string): PageRun => ({
      environmentId,
      action,
      question: { title: `Run ${action}`, effect: '', button: 'Run action' },
    });
    /** Starts a run on a test environment. While the page loads or reloads, the tab goes to another page. */
    const goTo = async (
      kind: 'load' | 'reload',
      next: PageRun,
      { isAllowed = false, first = pageRun('test', '1/7') } = {},
    ) => {
      let now = first;
      const asked: string[] = [];
      const guard: Guard = {
        async allow(id, { harmless }, work) {
          const isFree = id === 'test' || harmless;
          if (!isFree) asked.push(String(id));
          return isFree || isAllowed ? work() : null;
        },
      };
      const options = { guard, pageRun: () => now, isSavedHere: kind === 'reload' };
      const bed = fakeStarter({ documentId: 'old', ready: false }, options);
      const running = bed.starter.run();
      await vi.advanceTimersByTimeAsync(1_000);
      now = next;
      bed.page.state.value = { documentId: 'new', ready: true };
      await running;
      return { ...bed, asked };
    };

    it.each(['load', 'reload'] as const)('asks if the tab went to a production environment (%s)', async (kind) => {
      const { start, asked } = await goTo(kind, pageRun('production', '1/7'));
      expect(asked).toEqual(['production']);
      expect(start).not.toHaveBeenCalled();
      const allowed = await goTo(kind, pageRun('production', '1/7'), { isAllowed: true });
      expect(allowed.start).toHaveBeenCalledOnce();
    });

    it.each(['load', 'reload'] as const)(
      'asks if a run in production turns out to change something (%s)',
      async (kind) => {
        const now = pageRun('production', '1/7');
        const first: PageRun = { ...now, question: { ...now.question, harmless: true } };
        const { start, asked } = await goTo(kind, now, { first });
        expect(asked).toEqual(['production']);
        expect(start).not.toHaveBeenCalled();
      },
    );

    it.each(['load', 'reload'] as const)('runs nothing if the tab went to another action (%s)', async (kind) => {
      const { start, report } = await goTo(kind, pageRun('test', '1/8'));
      expect(report.mock.calls).toMatchObject([[{ code: 'PAGE_NOT_READY' }]]);
      expect(start).not.toHaveBeenCalled();
    });

    it.each(['load', 'reload'] as const)(
      'runs nothing in a page of no environment that says that it has the action (%s)',
      async (kind) => {
        const { start, report } = await goTo(kind, pageRun(null, '1/7'), { isAllowed: true });
        expect(report.mock.calls).toMatchObject([[{ code: 'PAGE_NOT_READY' }]]);
        expect(start).not.toHaveBeenCalled();
      },
    );
  });

  it('waits once for a page that never finishes loading', async () => {
    const { start, starter, running } = runWhileLoading();
    await vi.advanceTimersByTimeAsync(15_000);
    await running;
    expect(start).toHaveBeenCalledOnce();
    await starter.run();
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('runs the page’s action again while the toolbar selects another one', async () => {
    const { panel, finished, opened } = await openOnFirst();
    await panel.run();
    await finished('completed');
    panel.catalog.chooseAction(3);
    await panel.runAgain();
    await finished('completed');
    expect(opened).toEqual([]);
    expect(panel.runs.records.value.map(({ subject }) => subject)).toEqual([
      'http://localhost/1/2',
      'http://localhost/1/2',
    ]);
  });
});

const PIPELINE = [
  { functionPackage: 'set' },
  { type: 'loop', range: { from: 1, to: 3 }, functions: [{ functionPackage: 'add' }] },
];
const CHANGED = [{ functionPackage: 'set', settings: { message: 'new' } }, PIPELINE[1]];

/** The panel on the page of an action that can change on the platform. A reload loads its current pipeline. */
async function openChanging(list?: () => object, environment: object = ENVIRONMENT) {
  const onPlatform = { ...actionOf(2, 'first'), revision: 1, functions: PIPELINE };
  const requests: object[] = [];
  const pages: number[] = [];
  const bed = await openPanel(observedRuntime, {
    respond: {
      'environments.list': { ok: true, value: [environment] },
      'apps.list': { ok: true, value: [{ id: 1, name: 'App', organizationId: 5 }] },
      'actions.list': (takes: { offset?: number }) => {
        requests.push(takes);
        const actions = [actionOf(1, 'zero'), { ...onPlatform }, actionOf(3, 'second')];
        const { offset } = takes;
        return list?.() ?? { ok: true, value: offset === undefined ? actions : actions.slice(offset, offset + 1) };
      },
      'debugPage.allowReload': { ok: true, value: { url: '' } },
    },
    reload: () => {
      pages.push(1);
      void openPage({
        before: `${observedRuntime} ENV.taskPipeline = ${JSON.stringify(onPlatform.functions)}`,
        agent: false,
      }).then((page) => {
        bed.tab.page = page;
        closing.push(() => page.close());
      });
    },
  });
  await bed.tab.page.until(() => requests.length > 0 && bed.panel.catalog.actions.value.state !== 'loading');
  await bed.panel.version.check();
  const shownPipeline = () => bed.panel.page.loaded.value?.pipeline;
  return { ...bed, onPlatform, requests, pages, shownPipeline };
}

describe('a page that’s older than its action', () => {
  it('is noticed when the panel is used again, and after each run, with what changed', async () => {
    const { panel, onPlatform, finished, tab } = await openChanging();
    expect(panel.version.changes.value).toEqual([]);
    onPlatform.functions = CHANGED as never;
    await panel.version.check();
    expect(panel.version.changes.value).toEqual([{ path: '/0/settings', kind: 'added', after: { message: 'new' } }]);
    expect(panel.version.isSavedHere.value).toBe(false);
    onPlatform.functions = PIPELINE;
    await panel.run();
    await finished('completed');
    await tab.page.until(() => panel.version.changes.value.length === 0);
  });

  it('says that it may be older while its action can’t be read', async () => {
    let failure: { ok: false; error: { code: string; message: string } } | undefined;
    const { panel } = await openChanging(() => failure as object);
    expect(panel.version.unknown.value).toBeNull();
    failure = { ok: false, error: { code: 'NETWORK_FAILED', message: 'No.' } };
    await panel.version.check();
    expect([panel.version.unknown.value?.code, panel.version.changes.value]).toEqual(['NETWORK_FAILED', []]);
    failure = undefined;
    await panel.version.check();
    expect(panel.version.unknown.value).toBeNull();
  });

  it('says nothing of it anymore once its platform is known to offer no actions', async () => {
    let failure: { ok: false; error: { code: string; message: string } } | undefined;
    const { panel } = await openChanging(() => failure as object);
    failure = { ok: false, error: { code: 'ENDPOINT_MISSING', message: 'No.' } };
    await panel.version.check();
    expect(panel.version.unknown.value?.code).toBe('ENDPOINT_MISSING');
    failure = { ok: false, error: { code: 'APP_PAGE_MISSING', message: 'No.' } };
    await panel.version.check();
    expect(panel.version.unknown.value).toBeNull();
  });

  it('still runs its own pipeline if someone else changed the action, until the user reloads it', async () => {
    const { panel, onPlatform, finished, pages, shownPipeline } = await openChanging();
    onPlatform.functions = CHANGED as never;
    await panel.version.check();
    await panel.run();
    await finished('completed');
    expect(pages).toEqual([]);
    await panel.starter.reloadAndRun();
    await finished('completed');
    expect(pages).toEqual([1]);
    expect(shownPipeline()).toEqual(CHANGED);
    expect(panel.version.changes.value).toEqual([]);
    expect(panel.starter.reloadedFor.value).toBe(panel.runs.shown.value?.record.id);
  });

  it('marks the run that it was reloaded for, not an earlier one that’s still shown', async () => {
    const bed = prepareRun('reload', { documentId: 'new', ready: true });
    bed.shown.value = { record: { id: 'earlier' } };
    await bed.running;
    expect([bed.start.mock.calls.length, bed.starter.reloadedFor.value]).toEqual([1, null]);
    bed.start.mockImplementation(() => (bed.shown.value = { record: { id: 'new' } }));
    bed.page.state.value = { documentId: 'old', ready: true };
    await bed.starter.runInPage('{}');
    expect(bed.starter.reloadedFor.value).toBe('new');
  });

  it('is reloaded by Run if the action was saved in this panel', async () => {
    const { panel, onPlatform, finished, pages, shownPipeline } = await openChanging();
    onPlatform.functions = CHANGED as never;
    panel.version.noteSaved({ ...onPlatform } as never);
    expect(panel.version.isSavedHere.value).toBe(true);
    const running = panel.run();
    expect(panel.starter.label.value).toBe('Reloading…');
    expect(panel.cannotRun.value).toBe('Wait for the page to reload');
    await running;
    await finished('completed');
    expect(pages).toEqual([1]);
    expect(shownPipeline()).toEqual(CHANGED);
    expect(panel.version.isSavedHere.value).toBe(false);
  });

  it.each(['run', 'reloadAndRun'] as const)(
    'has the functions named that it will have when it’s reloaded, by the question of production (%s)',
    async (start) => {
      const { panel, onPlatform, pages } = await openChanging(undefined, { ...ENVIRONMENT, production: true });
      onPlatform.functions = [{ functionPackage: 'remove-everything' }] as never;
      if (start === 'run') panel.version.noteSaved({ ...onPlatform } as never);
      else await panel.version.check();
      const running = panel.starter[start]();
      await vi.waitFor(() => expect(panel.guard.question.value).not.toBeNull());
      expect(panel.guard.question.value?.question.effect).toBe('Its functions really run: remove-everything.');
      panel.guard.cancel();
      await running;
      expect(pages).toEqual([]);
    },
  );

  it('isn’t what a developer makes by replacing the pipeline in the page', async () => {
    const { panel, tab } = await openChanging();
    tab.page.run('ENV.taskPipeline = [ENV.taskPipeline[0]]');
    await tab.page.until(() => panel.page.nodes.value.length === 1);
    await panel.version.check();
    expect(panel.version.changes.value).toEqual([]);
  });

  it('is looked up by reading one action', async () => {
    const { requests } = await openChanging();
    expect(requests.at(-1)).toEqual({ environmentId: 'e', appId: 1, limit: 1, offset: 1 });
  });

  it('isn’t known on a platform that doesn’t list actions, and nothing is reported', async () => {
    const missing = { ok: false, error: { code: 'ENDPOINT_MISSING', message: 'No.', hint: '' } };
    const { panel } = await openChanging(() => missing);
    panel.catalog.dismiss();
    await panel.version.check();
    expect(panel.version.changes.value).toEqual([]);
    expect(panel.catalog.error.value).toBeNull();
    expect(panel.runs.error.value).toBeNull();
  });
});
