/** Uses the panel's state with the real inspector and the real agent in a page. */
import 'fake-indexeddb/auto';
import { effect } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { AGENT_KEY } from '../../../../../lib/extension/inspector/agent-protocol.ts';
import type { AgentEvent } from '../../../../../lib/extension/inspector/contract.ts';
import { CodedError } from '../../../../../lib/platform-api/coded-error.ts';
import type { Result } from '../../../../../lib/platform-api/errors.ts';
import type { Panel } from '../../../../../lib/extension/panel/shell/panel.ts';
import { createRunStore } from '../../../../../lib/extension/panel/run/history/run-database.ts';
import { toJson } from '../../../../../lib/extension/panel/shared/value-json.ts';
import { isExhaustive } from '../../../../support/exhaustive.ts';
import { pageScripts, platformRuntime } from '../../inspector/support/debugged-page.ts';
import { bareRuntime, observedRuntime, openPage } from '../../inspector/support/page.ts';
import { remote } from '../run/remote.ts';
import { closing, openPanel as open } from './open-panel.ts';

const shownSteps = (panel: Panel) =>
  [...(panel.runs.shown.value?.trace.steps.values() ?? [])].map(
    (step) => `${step.path} ${step.iteration.join('.')} ${step.state}`,
  );

describe('the panel', () => {
  it('shows the pipeline of a debug page that was opened by hand', async () => {
    const { panel, tab } = await open(observedRuntime);
    await tab.page.until(() => panel.page.nodes.value.length > 0);
    expect(panel.page.nodes.value.map((node) => node.path)).toEqual(['/0', '/1', '/1/functions/0']);
    expect(panel.inTab.value).toEqual({ app: 'app 1', action: 'action 2', mode: 'preview' });
    expect(panel.cannotRun.value).toBeNull();
  });

  it('needs an environment on every tab but OAuth2, unless a debug page was opened by hand', async () => {
    const needs = async (page: string, environments: unknown[] = []) => {
      const { panel } = await open(page, { respond: { 'environments.list': { ok: true, value: environments } } });
      const tabs = ['run', 'actions', 'oauth2', 'apps'] as const;
      return tabs.filter((tab) => {
        panel.tabs.open(tab);
        return panel.needsEnvironment.value;
      });
    };
    expect(await needs('')).toEqual(['run', 'actions', 'apps']);
    expect(await needs(observedRuntime)).toEqual(['actions', 'apps']);
    expect(await needs('', [{ id: 'e', baseUrl: 'https://api.example.com' }])).toEqual([]);
  });

  it('runs the action with the payload, and shows every step, the context and the result', async () => {
    const { panel, finished } = await open(observedRuntime);
    panel.payloads.setText('{"since": "2026-11-01"}');
    await panel.run();
    await finished('completed');
    expect(shownSteps(panel)).toEqual([
      '/0  completed',
      '/1  completed',
      '/1/functions/0 0 completed',
      '/1/functions/0 1 completed',
      '/1/functions/0 2 completed',
    ]);
    const trace = panel.runs.shown.value?.trace;
    expect(trace?.result && toJson(trace.result)).toBe('6');
    expect(trace && JSON.parse(toJson(trace.context))).toEqual({ since: '2026-11-01', list: [1, 1, 2, 3], sum: 6 });
    expect(panel.runs.records.value).toMatchObject([
      { number: 1, state: 'completed', payload: '{"since": "2026-11-01"}' },
    ]);
  });

  it('disables Run on a page without a pipeline, and stores no run that couldn’t start there', async () => {
    const { panel, tab, finished } = await open(
      bareRuntime(`throw Object.assign(new Error('no pipeline'), { code: 'PIPELINE_INVALID' })`).replace(
        'taskPipeline: []',
        '',
      ),
    );
    await tab.page.until(() => panel.page.pipelineError.value !== null);
    expect(panel.cannotRun.value).toBe('Open the debug page of an action with a pipeline');
    await panel.run();
    expect(panel.runs.shown.value).toBeNull();
    await panel.runs.start('{}');
    await finished('failed');
    expect(panel.runs.records.value).toEqual([]);
  });

  it('runs once when Run is pressed twice', async () => {
    const { panel, finished } = await open(observedRuntime);
    expect(panel.cannotRun.value).toBeNull();
    const first = panel.run();
    expect(panel.cannotRun.value).toBe('Wait for the current run to end, or stop it');
    await Promise.all([first, panel.run(), panel.runs.start('{}')]);
    await finished('completed');
    expect(panel.runs.records.value.length).toBe(1);
    expect(panel.runs.error.value).toBeNull();
    // The page has reported the end, but the panel may still be saving it.
    await panel.runs.settled();
    expect(panel.cannotRun.value).toBeNull();
  });

  it('completes a run on a full disk, reports that it isn’t saved, and still reads older runs', async () => {
    const { panel, finished } = await open(observedRuntime);
    await panel.run();
    await finished('completed');
    const older = panel.runs.records.value;
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    closing.push(() => full.mockRestore());
    await panel.run();
    await finished('completed');
    expect(shownSteps(panel)).toHaveLength(5);
    expect(panel.runs.error.value).toMatchObject({
      code: 'RUNS_FULL',
      message: expect.stringContaining('New runs aren’t saved'),
      hint: 'Free up some disk space, then try again.',
    });
    expect(panel.runs.records.value).toEqual(older);
    await panel.runs.open(older[0]!.id);
    expect(shownSteps(panel)).toHaveLength(5);
    await panel.payloads.save('one');
    expect(panel.payloads.error.value).toMatchObject({
      code: 'PAYLOAD_NOT_SAVED',
      message: expect.stringContaining('full'),
    });
  });

  it('shows the result of a run before its last steps have arrived', async () => {
    const { panel, tab } = await open(observedRuntime);
    await tab.page.until(() => panel.inTab.value !== null);
    const tell = async (event: object) => {
      panel.runs.onEvent({ runId: 'r', at: 1, ...event } as AgentEvent);
      await panel.runs.settled();
    };
    const [payload, context] = [remote({}), remote({})];
    await tell({ kind: 'run-started', n: 1, tracing: 'observed', payload, context, startedAt: 1 });
    const end = { kind: 'run-ended', n: 3, runId: 'r', at: 7, state: 'completed', result: remote(1), milliseconds: 7 };
    panel.runs.onEvent({ kind: 'completed-ahead', end } as never);
    await tab.page.until(() => panel.runs.shown.value?.trace.ahead != null);
    const run = panel.runs.shown.value!;
    expect(run.trace).toMatchObject({ state: 'running', ahead: { result: remote(1) } });
    expect(panel.runs.elapsed(run)).toBe(7);
    // Another run can't start until all events have arrived.
    expect(panel.runs.live.value).toBe('r');
    await tell({ kind: 'console', n: 2, step: null, level: 'log', args: [] });
    await tell(end);
    expect(run.trace).toMatchObject({ state: 'completed', ahead: null, result: remote(1) });
    expect(panel.runs.live.value).toBeNull();
  });

  it('stores nothing of a run after a failed write, and marks the run as cut', async () => {
    const { panel, tab, name } = await open(observedRuntime);
    await tab.page.until(() => panel.inTab.value !== null);
    const tell = async (event: object) => {
      panel.runs.onEvent({ runId: 'r', at: 1, ...event } as AgentEvent);
      await panel.runs.settled();
    };
    const say = (n: number) => tell({ kind: 'console', n, step: null, level: 'log', args: [] });
    await tell({
      kind: 'run-started',
      n: 1,
      tracing: 'observed',
      payload: remote({}),
      context: remote({}),
      startedAt: 1,
    });
    await say(2);
    const put = IDBObjectStore.prototype.put;
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...given: Parameters<typeof put>
    ) {
      if (this.name === 'events') throw new DOMException('full', 'QuotaExceededError');
      return put.apply(this, given);
    });
    closing.push(() => full.mockRestore());
    await say(3);
    expect(panel.runs.error.value?.code).toBe('RUNS_FULL');
    full.mockRestore();
    await say(4);
    await tell({ kind: 'run-ended', n: 5, state: 'completed', result: remote(1), milliseconds: 1 });
    expect(panel.runs.records.value).toMatchObject([{ id: 'r', state: 'completed', cut: true }]);
    expect((await createRunStore(undefined, name).events('r')).map(({ n }) => n)).toEqual([1, 2]);
  });

  it('lists past runs even when an unfinished one can’t be stored as interrupted', async () => {
    const { panel, finished, name } = await open(observedRuntime);
    await panel.run();
    await finished('completed');
    const run = { ...panel.runs.records.value[0]!, id: 'of another document' };
    await createRunStore(undefined, name).put({ ...run, state: 'running' });
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    closing.push(() => full.mockRestore());
    await panel.runs.remove('another');
    expect(panel.runs.records.value).toContainEqual(expect.objectContaining({ id: run.id, state: 'interrupted' }));
    expect(panel.runs.error.value).toBeNull();
  });

  it('copies nothing when the whole text can’t be loaded, and reports why', async () => {
    const { panel, copied } = await open(observedRuntime);
    expect(await panel.copy('the first 100 characters', 987_654)).toBe(false);
    expect(copied).toEqual([]);
    expect(panel.runs.error.value?.code).toBe('HANDLE_GONE');
    expect(await panel.copy('a whole text')).toBe(true);
    expect(copied).toEqual(['a whole text']);
  });

  it('renders a long run at intervals, and its end right away', async () => {
    const { panel, finished } = await open(
      `${observedRuntime} fns.set = async (settings, context) => { context.list = []; for (let i = 0; i < 200; i++) { console.log(i); await new Promise((resolve) => setTimeout(resolve, 1)); } };`,
    );
    let drawn = 0;
    const seen: string[] = [];
    closing.push(
      effect(() => {
        void panel.runs.version.value;
        drawn++;
        seen.push(panel.runs.shown.peek()?.trace.state ?? '');
      }),
    );
    const started = performance.now();
    await panel.run();
    await finished('completed');
    expect(seen).toContain('completed');
    expect(drawn).toBeLessThan(10 + (performance.now() - started) / 100);
    expect(panel.runs.shown.value?.trace.console).toHaveLength(200);
  });

  it('doesn’t run while Run is disabled', async () => {
    const { panel } = await open(observedRuntime);
    panel.payloads.setText('[1]');
    expect(panel.cannotRun.value).toBe('Fix the payload');
    await panel.run();
    await panel.runs.settled();
    expect(panel.runs.records.value).toEqual([]);
    panel.payloads.setText('{}');
    expect(panel.cannotRun.value).toBeNull();
  });

  it('selects the failed step and keeps showing the error', async () => {
    const { panel, finished } = await open(
      `${observedRuntime} fns.add = () => { throw new TypeError('settings.to is not a string') };`,
    );
    await panel.run();
    await finished('failed');
    expect(panel.runs.shown.value?.trace.error).toMatchObject({
      code: 'STEP_FAILED',
      path: '/1/functions/0',
      iteration: [0],
    });
    expect(panel.selection.path.value).toBe('/1/functions/0');
    expect(panel.selection.tab.value).toBe('result');
    expect(panel.runs.records.value[0]?.error).toContain('settings.to is not a string');
  });

  it('shows a selected step without data as itself, not as the whole run, until a run reaches it', async () => {
    const { panel, finished, tab } = await open(
      `${observedRuntime} waiting = new Promise((done) => (go = done)); fns.set = (settings, context) => { context.sum = 0; context.list = []; return waiting };`,
    );
    const { selection } = panel;
    const shown = () => ({ step: selection.step.value, unrun: selection.unrun.value });
    selection.selectPath('/1');
    expect(shown()).toEqual({ step: null, unrun: '/1' });
    await panel.run();
    await tab.page.until(() => panel.runs.shown.value?.trace.steps.size === 1);
    // A new run is shown as a whole.
    expect(shown()).toEqual({ step: null, unrun: null });
    selection.selectPath('/1/functions/0');
    expect(shown()).toEqual({ step: null, unrun: '/1/functions/0' });
    tab.page.run('go()');
    await finished('completed');
    expect(shown()).toEqual({ step: 3, unrun: null });
    selection.clear();
    expect(shown()).toEqual({ step: null, unrun: null });
  });

  it('explains only runs of the page’s action with the page’s pipeline', async () => {
    const { panel, finished } = await open(observedRuntime);
    await panel.run();
    await finished('completed');
    const run = panel.runs.shown.value!;
    expect(panel.nodesOf(run).map(({ path }) => path)).toEqual(['/0', '/1', '/1/functions/0']);
    expect(panel.nodesOf({ ...run, record: { ...run.record, subject: 'another action' } })).toEqual([]);
  });

  it('stops a run, and can run again', async () => {
    const { panel, finished, tab } = await open(`${observedRuntime} fns.set = () => new Promise(() => {});`);
    await panel.run();
    await tab.page.until(() => panel.runs.shown.value?.trace.state === 'running');
    expect(panel.cannotRun.value).toBe('Wait for the current run to end, or stop it');
    await panel.runs.stop();
    await finished('stopped');
    expect(panel.cannotRun.value).toBeNull();
    await panel.runAgain();
    await tab.page.until(() => panel.runs.live.value !== null);
    await panel.runs.stop();
    await finished('stopped');
    expect(panel.runs.records.value.map((record) => record.number)).toEqual([2, 1]);
  });

  it('says that only a reload ends a run whose page has replaced the agent, until the run has ended', async () => {
    const { panel, finished, tab } = await open(`${observedRuntime} fns.set = () => new Promise(() => {});`);
    await panel.run();
    await tab.page.until(() => panel.runs.live.value !== null);
    const key = JSON.stringify(AGENT_KEY);
    tab.page.run(`agent = globalThis[${key}]; Object.defineProperty(globalThis, ${key}, { value: { ...agent,
      call: (part, method, args) => (method === 'stop' ? 'true' : agent.call(part, method, args)) } });`);
    await panel.runs.stop();
    expect(panel.runs.live.value).not.toBe(null);
    expect(panel.runs.error.value).toMatchObject({ code: 'RUN_NOT_STOPPED', hint: 'Reload the page to end it.' });
    tab.page = await openPage({ before: observedRuntime, agent: false });
    closing.push(() => tab.page.close());
    await finished('interrupted');
    expect(panel.runs.error.value).toBe(null);
  });

  it('lists past runs after a reload of the panel, opens them, and runs them again', async () => {
    const first = await open(observedRuntime);
    first.panel.payloads.setText('{"a":1}');
    await first.panel.run();
    await first.finished('completed');
    first.panel.dispose();
    const { panel, finished } = await open('', { name: first.name, page: first.tab.page });
    await panel.runs.settled();
    const [record] = panel.runs.records.value;
    await panel.runs.open(record?.id ?? '');
    expect(shownSteps(panel)).toHaveLength(5);
    await panel.runAgain();
    await first.tab.page.until(() => panel.runs.shown.value?.record.id !== record?.id);
    await finished('completed');
    expect(panel.runs.shown.value?.record).toMatchObject({ number: 2, payload: '{"a":1}' });
  });

  it('marks a run as interrupted when its panel was closed before its end', async () => {
    const first = await open(`${observedRuntime} fns.set = () => new Promise(() => {});`);
    await first.panel.run();
    await first.tab.page.until(() => first.panel.runs.records.value.length === 1);
    await first.panel.runs.settled();
    first.panel.dispose();
    const { panel } = await open(observedRuntime, { name: first.name });
    await panel.runs.settled();
    expect(panel.runs.records.value).toMatchObject([{ state: 'interrupted' }]);
    await panel.runs.open(panel.runs.records.value[0]?.id ?? '');
    expect(shownSteps(panel)).toEqual(['/0  unstored']);
  });

  it.each([
    ['paused', { settings: { breakpoints: [{ path: '/1' }], pauseOnFailure: false } }],
    ['in progress', {}],
  ])('finds a run again that was %s when its page was left, and can stop it', async (kind, debug) => {
    const runtime = await platformRuntime();
    const functions = `first: () => 1, second: () => new Promise(() => {}),`;
    const pipeline = [{ functionPackage: 'first' }, { functionPackage: 'second' }];
    const { panel, tab, finished } = await open(`${runtime}\n${pageScripts(pipeline, functions)}`);
    const isThere = () => (kind === 'paused' ? panel.runs.paused.value !== null : shownSteps(panel).length === 2);
    await panel.runs.start('{}', undefined, debug);
    await tab.page.until(isThere);
    const id = panel.runs.live.value;
    const left = tab.page;
    left.run(`dispatchEvent(new Event('pagehide'))`);
    tab.page = await openPage({ before: observedRuntime, agent: false });
    closing.push(() => tab.page.close());
    await finished('interrupted');
    expect([panel.runs.found.value, panel.runs.paused.value]).toEqual([null, null]);
    // Another run in between.
    await panel.runs.start('{}');
    await finished('completed');
    const between = tab.page;
    tab.page = left;
    await between.until(() => panel.runs.live.value === id && isThere());
    expect(panel.runs.found.value).toBe(id);
    expect(panel.runs.shown.value?.record).toMatchObject({ id, state: 'running', error: null });
    expect(panel.cannotRun.value).toBe('Wait for the current run to end, or stop it');
    await panel.runs.settled();
    expect(panel.runs.records.value.find((record) => record.id === id)).toMatchObject({ state: 'running' });
    expect(panel.debug.pause.cannotResume.value).toBe(kind === 'paused' ? null : 'Pause the run first');
    await panel.runs.stop();
    await finished('stopped');
    expect([panel.runs.found.value, panel.cannotRun.value]).toEqual([null, null]);
    expect(left.run('JSON.stringify(calls)')).toBe(kind === 'paused' ? '["first"]' : '["first","second"]');
  });

  it('resumes a running run when the panel is reopened', async () => {
    const first = await open(`${observedRuntime} fns.set = () => new Promise((go) => { release = go });`);
    await first.panel.run();
    await first.tab.page.until(
      () => first.tab.page.run('typeof release') === 'function' && first.panel.runs.records.value.length === 1,
    );
    first.tab.page.run('console.log("later")');
    await first.tab.page.until(() => first.panel.runs.shown.value?.trace.console.length === 1);
    await first.panel.runs.settled();
    first.panel.dispose();
    const { panel, finished } = await open('', { name: first.name, page: first.tab.page });
    await first.tab.page.until(() => panel.runs.live.value !== null);
    first.tab.page.run('release()');
    await finished('failed');
    expect(panel.runs.records.value).toHaveLength(1);
    const saved = (await createRunStore(undefined, first.name).events(panel.runs.records.value[0]?.id ?? '')).map(
      (event) => event.n,
    );
    expect(saved).toEqual(saved.map((_, index) => index + 1));
  });

  /** A run whose panel is closed during it, and which then ends on the page. */
  async function leftRunning(body = '') {
    const first = await open(
      `${observedRuntime} const set = fns.set; fns.set = (settings, context) => { ${body} return new Promise((go) => { release = () => go(set(settings, context)) }); };`,
    );
    await first.panel.run();
    await first.tab.page.until(
      () => first.tab.page.run('typeof release') === 'function' && first.panel.runs.records.value.length === 1,
    );
    await first.panel.runs.settled();
    first.panel.dispose();
    return first;
  }
  const ends = (page: Awaited<ReturnType<typeof openPage>>) =>
    page.until(() => page.events().at(-1)?.kind === 'run-ended');

  it('counts the time of a step that reports nothing, also after the panel is reopened', async () => {
    const {
      panel: first,
      tab: { page },
      name,
    } = await leftRunning();
    const { trace: left } = first.runs.shown.value!;
    const before = Date.now() - left.startedAt;
    const { panel } = await open('', { name, page });
    const elapsed = () => panel.runs.shown.value && panel.progressOf(panel.runs.shown.value).elapsed;
    await page.until(() => elapsed() !== null);
    expect(elapsed()).toBeGreaterThanOrEqual(before);
    await page.until(() => elapsed()! > before + 500);
    expect(panel.runs.shown.value?.trace.milliseconds).toBeLessThan(elapsed()!);
    page.run('release()');
    await page.until(() => panel.runs.live.value === null);
    expect(elapsed()).toBe(panel.runs.shown.value?.trace.milliseconds);
  });

  // To fill the page’s log takes seconds. Another test recovers a run from a full one.
  if (isExhaustive())
    it('resumes a running run from the store when the page’s log no longer has its start', async () => {
      const {
        tab: { page },
        name,
      } = await leftRunning();
      page.run('for (let i = 0; i < 3_300; i++) console.log("x".repeat(8_000))');
      const { panel, finished } = await open('', { name, page });
      await page.until(() => panel.runs.live.value !== null);
      page.run('release()');
      await finished('completed');
      expect(shownSteps(panel)).toHaveLength(5);
      expect(panel.runs.shown.value?.trace.dropped).toBeGreaterThan(0);
      expect(panel.runs.records.value).toMatchObject([{ number: 1, state: 'completed' }]);
    });

  it('completes a run that ended while the panel was closed, with the page’s events since then', async () => {
    const {
      tab: { page },
      name,
    } = await leftRunning();
    page.run('release()');
    await ends(page);
    const { panel } = await open('', { name, page });
    await page.until(() => panel.runs.records.value.length === 1);
    expect(panel.runs.records.value).toMatchObject([{ state: 'completed', cut: false, error: null }]);
    await panel.runs.open(panel.runs.records.value[0]?.id ?? '');
    expect(shownSteps(panel)).toHaveLength(5);
    expect(panel.runs.shown.value?.trace).toMatchObject({
      state: 'completed',
      result: { v: 6 },
      console: [{ level: 'log' }],
    });
    const saved = (await createRunStore(undefined, name).events(panel.runs.records.value[0]?.id ?? '')).map(
      (event) => event.n,
    );
    expect(saved).toEqual(saved.map((_, index) => index + 1));
    expect((await createRunStore(undefined, name).get(panel.runs.records.value[0]?.id ?? ''))?.state).toBe('completed');
  });

  it('recovers a run that ended while the panel was closed before the next run starts', async () => {
    const {
      tab: { page },
      name,
    } = await leftRunning();
    page.run('release()');
    await ends(page);
    page.run('fns.set = set');
    const { panel, finished } = await open('', { name, page });
    await panel.run();
    await finished('completed');
    expect(panel.runs.records.value.map(({ number, state }) => `${number} ${state}`)).toEqual([
      '2 completed',
      '1 completed',
    ]);
  });

  if (isExhaustive())
    it('marks a recovered run as cut when the page’s log no longer has all of it', async () => {
      const {
        tab: { page },
        name,
      } = await leftRunning();
      page.run('for (let i = 0; i < 3_300; i++) console.log("x".repeat(8_000)); release()');
      await ends(page);
      const { panel } = await open('', { name, page });
      await page.until(() => panel.runs.records.value.length === 1);
      expect(panel.runs.records.value).toMatchObject([{ state: 'completed', cut: true }]);
    });

  it('marks a run as interrupted when its document is gone, even while another run is running', async () => {
    const { name } = await leftRunning();
    const { panel, finished } = await open(observedRuntime, { name });
    await panel.run();
    await finished('completed');
    expect(panel.runs.records.value.map(({ number, state }) => `${number} ${state}`)).toEqual([
      '2 completed',
      '1 interrupted',
    ]);
  });

  it('lists a run of another tab as running, not as interrupted, and doesn’t open it', async () => {
    const first = await open(`${observedRuntime} fns.set = () => new Promise((go) => { release = go });`);
    await first.panel.run();
    await first.tab.page.until(() => first.panel.runs.records.value.length === 1);
    await first.panel.runs.settled();
    const { panel } = await open(observedRuntime, { name: first.name });
    await panel.runs.settled();
    const states = () => panel.runs.records.value.map(({ state }) => state);
    expect(states()).toEqual(['running']);
    await panel.runs.open(panel.runs.records.value[0]?.id ?? '');
    expect([panel.runs.shown.value, panel.runs.error.value?.code]).toEqual([null, 'RUN_ELSEWHERE']);
    first.panel.dispose();
    await panel.runs.remove('another');
    expect(states()).toEqual(['interrupted']);
  });

  it('lists how a run of another tab has ended once it’s opened', async () => {
    const first = await open(`${observedRuntime} fns.set = () => new Promise((go) => { release = go });`);
    await first.panel.run();
    await first.tab.page.until(() => first.panel.runs.records.value.length === 1);
    await first.panel.runs.settled();
    const { panel } = await open(observedRuntime, { name: first.name });
    await panel.runs.settled();
    first.tab.page.run('release()');
    await first.finished('failed');
    expect(panel.runs.records.value).toMatchObject([{ state: 'running' }]);
    await panel.runs.open(panel.runs.records.value[0]?.id ?? '');
    expect(panel.runs.shown.value?.record.state).toBe('failed');
    expect(panel.runs.records.value).toMatchObject([{ state: 'failed' }]);
  });

  it('tries to recover a run again at the next listing when the page doesn’t respond', async () => {
    const {
      tab: { page },
      name,
    } = await leftRunning();
    page.run('release()');
    await ends(page);
    const { evaluate } = page;
    let isBusy = true;
    page.evaluate = (expression) =>
      isBusy && expression.includes('"read"') ? Promise.reject(new Error('busy')) : evaluate(expression);
    const { panel } = await open('', { name, page });
    await page.until(() => panel.runs.records.value.length === 1);
    expect(panel.runs.records.value).toMatchObject([{ state: 'interrupted' }]);
    isBusy = false;
    await panel.runs.remove('another');
    expect(panel.runs.records.value).toMatchObject([{ state: 'completed' }]);
  });

  it('keeps showing a run that was started before the worker reported that the page is open', async () => {
    const opened = Promise.withResolvers<Result<unknown>>();
    const { panel, tab, finished } = await open(observedRuntime, {
      respond: {
        'environments.list': { ok: true, value: [{ id: 'eu', name: 'EU', baseUrl: 'https://eu.example.com' }] },
        'debugPage.open': opened.promise,
      },
    });
    await panel.run();
    await finished('completed');
    const first = panel.runs.shown.value?.record.id;
    panel.catalog.setUrl('https://eu.example.com/v1/apps/1/tasks/2/compile?html');
    const opening = panel.open();
    tab.page = await openPage({ before: observedRuntime, agent: false });
    closing.push(() => tab.page.close());
    await tab.page.until(() => panel.cannotRun.value === null);
    await panel.run();
    await tab.page.until(() => panel.runs.shown.value?.record.id !== first);
    await finished('completed');
    opened.resolve({ ok: true, value: { url: '' } });
    await opening;
    expect(panel.runs.shown.value?.trace.state).toBe('completed');

    await panel.open();
    expect(panel.runs.shown.value).toBeNull();
  });

  it('reports a run that was lost by a reload, and stays usable', async () => {
    const { panel, tab, finished } = await open(bareRuntime('await new Promise(() => {})'));
    await panel.run();
    await tab.page.until(() => panel.runs.live.value !== null);
    tab.page = await openPage({ before: observedRuntime, agent: false });
    closing.push(() => tab.page.close());
    await finished('interrupted');
    expect(panel.runs.shown.value?.trace.error?.code).toBe('RUN_LOST');
    await tab.page.until(() => panel.cannotRun.value === null);
  });

  it('reports a run that navigated before its first event', async () => {
    const { panel, tab, finished } = await open(observedRuntime);
    const next = await openPage({ before: observedRuntime, agent: false });
    closing.push(() => next.close());
    const { evaluate } = tab.page;
    tab.page.evaluate = async (expression) => {
      const response = await evaluate(expression);
      if (expression.includes('agent.call("run","start"')) tab.page = next;
      return response;
    };
    await panel.run();
    await finished('interrupted');
    expect(panel.runs.records.value).toMatchObject([
      { state: 'interrupted', payload: '{}', error: expect.stringContaining('reloaded') },
    ]);
  });

  it('ends the run of a page that was replaced by one that can’t be inspected', async () => {
    const { panel, tab, finished } = await open(`${observedRuntime} fns.set = () => new Promise(() => {});`);
    await panel.run();
    await tab.page.until(() => panel.runs.live.value !== null);
    tab.page.evaluate = () => Promise.reject(new CodedError({ code: 'PAGE_UNREACHABLE', message: 'gone' }));
    await finished('interrupted');
    expect(panel.runs.shown.value?.trace.error?.errorMessage).toBe('The page navigated away before the run ended.');
  });

  it('exports runs to a file, and imports them in another browser', async () => {
    const { panel, finished, files } = await open(observedRuntime);
    await panel.run();
    await finished('completed');
    await panel.exportRuns();
    const other = await open(observedRuntime);
    expect(await other.panel.runs.importRuns(files[0] ?? '')).toMatchObject({ added: [{ number: 1 }], known: 0 });
    expect(await other.panel.runs.importRuns(files[0] ?? '')).toEqual({ added: [], known: 1 });
    await other.panel.runs.open(other.panel.runs.records.value[0]?.id ?? '');
    expect(shownSteps(other.panel)).toEqual(shownSteps(panel));
    expect(await other.panel.runs.importRuns('{')).toBeNull();
    expect(other.panel.runs.error.value?.code).toBe('FILE_NOT_JSON');
  });

  it('counts the events that a run has lost also when it’s opened later, and in another browser', async () => {
    const runtime = `${observedRuntime} fns.set = () => new Promise((go) => { release = go });`;
    const { panel, tab, name, files, finished } = await open(runtime);
    await panel.run();
    await tab.page.until(() => tab.page.run('typeof release') === 'function' && panel.runs.live.value !== null);
    panel.runs.onEvent({ kind: 'events-dropped', count: 12 });
    tab.page.run('release()');
    await finished('failed');
    await panel.exportRuns();
    const droppedIn = async (other: Panel) => {
      await other.runs.open(other.runs.records.value[0]?.id ?? '');
      return other.runs.shown.value?.trace.dropped;
    };
    const reopened = await open(observedRuntime, { name });
    await reopened.tab.page.until(() => reopened.panel.runs.records.value.length === 1);
    expect(await droppedIn(reopened.panel)).toBe(12);
    const another = await open(observedRuntime);
    await another.panel.runs.importRuns(files[0] ?? '');
    expect(await droppedIn(another.panel)).toBe(12);
  });

  it('saves named payloads per action', async () => {
    const { panel } = await open(observedRuntime);
    panel.payloads.setText('{"a":1}');
    await panel.payloads.save(' mine ');
    expect(panel.payloads.saved.value).toMatchObject([{ name: 'mine', text: '{"a":1}' }]);
    await panel.payloads.remove('mine');
    expect(panel.payloads.saved.value).toEqual([]);
  });

  it.each([
    ['no Platform', '', 'PLATFORM_ABSENT'],
    ['a Platform that is a string', 'Platform = "x"', 'PLATFORM_NOT_AN_OBJECT'],
    [
      'a getter that throws',
      'Object.defineProperty(globalThis, "Platform", { get() { throw new Error("boo") } })',
      'PLATFORM_THROWS',
    ],
    ['no pipeline', 'Platform = {}', 'PLATFORM_NO_PIPELINE'],
  ])('explains a page with %s', async (_name, before, code) => {
    const { panel } = await open(before);
    expect(panel.page.hint.value).toMatchObject({
      code,
      title: expect.any(String),
      text: expect.stringContaining('Platform'),
    });
    expect(panel.cannotRun.value).toBe(panel.page.hint.value?.title);
  });

  it('explains when a runtime can’t be traced in full', async () => {
    const { panel } = await open(bareRuntime('return 1'));
    expect(panel.page.tracingHint.value?.code).toBe('TRACING_BARE');
    expect(panel.cannotRun.value).toBeNull();
  });
});
