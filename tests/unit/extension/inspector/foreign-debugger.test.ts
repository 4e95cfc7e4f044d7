/** Tests breakpoints and mocks in pages of other installations, whose runtimes can’t pause. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  FOREIGN_FUNCTIONS,
  FOREIGN_RESULT,
  FOREIGN_RUNTIME_NAMES,
  FOREIGN_RUNTIMES,
  type ForeignRuntime,
  type ForeignRuntimeName,
} from '../../../support/servers/foreign-runtimes.ts';
import { breakAt, DebuggedPage } from './support/debugged-page.ts';
import { agentSource, openPage } from './support/page.ts';

const [GREET, , SHOUT] = FOREIGN_FUNCTIONS as [string, string, string];
const platform = { engine: 'platform' } as const;
const OUR_ENGINE = 'Choose “Our engine” beside Run.';

let page: DebuggedPage;
afterEach(() => page.page.close());

/** @param isEarly whether the agent watches from before the page’s first script */
async function openRuntime(name: ForeignRuntimeName, isEarly = true): Promise<void> {
  const opened = await openPage({ agent: false });
  const source = await agentSource();
  const watch = (): void => {
    opened.run(source);
    opened.port().watch('run', 'Platform');
  };
  if (isEarly) watch();
  const { scripts }: ForeignRuntime = FOREIGN_RUNTIMES[name];
  for (const script of scripts) {
    opened.run(script);
    // A browser reports the element of each script before it runs.
    if (isEarly) opened.lookUp();
  }
  if (name === 'late') await opened.until(() => opened.run('globalThis.isRegistered') === true);
  if (!isEarly) watch();
  opened.lookUp();
  page = new DebuggedPage(opened);
}

describe.each(FOREIGN_RUNTIME_NAMES)('a runtime of kind %s', (name) => {
  it('ignores breakpoints, which its run and a request to pause say', async () => {
    await openRuntime(name);
    page.start(breakAt('/1'), platform);
    expect(page.pauseNext()).toMatchObject({ ok: false, error: { code: 'DEBUGGER_UNAVAILABLE', hint: OUR_ENGINE } });
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: FOREIGN_RESULT } });
    expect(page.all('paused')).toEqual([]);
    expect(page.all('run-started')).toMatchObject([
      {
        debuggerError: {
          code: 'DEBUGGER_UNAVAILABLE',
          message: 'Couldn’t pause at steps: the page’s runtime can’t pause at steps. The run ignores breakpoints.',
          hint: OUR_ENGINE,
        },
      },
    ]);
  });

  it('has functions that can be mocked by their package, which the run marks', async () => {
    await openRuntime(name);
    page.start({ mocks: [{ target: { package: SHOUT }, outcome: { value: 'mine' } }] }, platform);
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 'mine' } });
    expect(page.all('step-ended').map(({ replaced }) => replaced)).toEqual([undefined, undefined, 'mock']);
  });

  it('refuses what it can’t do, and runs nothing', async () => {
    await openRuntime(name);
    const mocks = [{ target: { path: '/2' }, outcome: { value: 'mine' } }];
    expect(() => page.start({ mocks }, platform)).toThrow(
      `MOCKS_UNAVAILABLE: Couldn’t apply the mocks: the page’s runtime doesn’t report which step calls a function, so the mock of step /2 would be ignored. Nothing was run. ${OUR_ENGINE}`,
    );
    expect(() => page.start({ runTo: { path: '/1' } }, platform)).toThrow(
      `DEBUGGER_UNAVAILABLE: Couldn’t run to this step: the page’s runtime can’t pause at steps. Nothing was run. ${OUR_ENGINE}`,
    );
    page.page.run('ENV.mode = "live"');
    expect(() => page.start({ mocks: [{ target: { package: SHOUT } }] }, platform)).toThrow(/^MOCKS_LIVE: /);
    expect(page.all('run-started')).toEqual([]);
    expect(page.page.run('document.documentElement.dataset.stack')).toBeUndefined();
  });

  it('pauses at steps and mocks them with our engine, and starts at one of a recorded run', async () => {
    await openRuntime(name);
    page.start({ ...breakAt('/2'), mocks: [{ target: { path: '/1' }, outcome: { value: 'mocked' } }] });
    expect(await page.place()).toBe('/2 breakpoint');
    expect(page.change((context) => Object.assign(context, { greeting: 'hello us' }))).toBeNull();
    page.resume();
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 'HELLO US' } });
    expect(page.all('step-ended').map(({ replaced }) => replaced)).toEqual([undefined, 'mock', undefined]);
    const recording = JSON.stringify(page.recording());
    page.start({ from: { recording, place: { path: '/2' }, pauses: false } });
    expect(await page.ended()).toMatchObject({ state: 'completed', result: { v: 'HELLO US' } });
    expect(page.all('step-ended').map(({ replaced }) => replaced)).toEqual(['recording', 'recording', undefined]);
  });
});

it('functions that a page registered before the panel could watch can’t be mocked, and nothing is run', async () => {
  await openRuntime('object', false);
  expect(() => page.start({ mocks: [{ target: { package: GREET } }] }, platform)).toThrow(
    /^MOCKS_UNAVAILABLE: .* Nothing was run\. \S/,
  );
  expect(page.all('run-started')).toEqual([]);
});
