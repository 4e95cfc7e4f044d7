/** The debugger of the Run tab, with the real agent in a page: breakpoints, pauses, and changes during a pause. */
import { describe, expect, it, vi } from 'vitest';
import { differencesOf } from '../../../../../../lib/extension/panel/run/context-changes.ts';
import { describePause, editorText } from '../../../../../../lib/extension/panel/run/debug/describe-pause.ts';
import { replacedText } from '../../../../../../lib/extension/panel/run/replaced.ts';
import { closing } from '../../shell/open-panel.ts';
import { ADD, openDebugger, SEND } from './open-debugger.ts';

describe('a breakpoint', () => {
  it('pauses the run, which shows its step, and lets it be resumed', async () => {
    const { debug, panel, node, paused, ended } = await openDebugger();
    debug.breakpoints.edit(node(ADD));
    debug.breakpoints.change({ condition: 'currentItem === 3' });
    debug.breakpoints.save(node(ADD));
    panel.selection.setPathCollapsed('/1', true);
    await panel.run();
    expect(await paused()).toBe(`${ADD}#2 breakpoint`);
    expect(panel.selection.path.value).toBe(ADD);
    expect(panel.selection.tab.value).toBe('context');
    expect(panel.selection.collapsedPaths.value.size).toBe(0);
    expect(panel.progressOf(panel.runs.shown.value!).isPaused).toBe(true);
    await debug.pause.resume({ go: 'resume' });
    expect(await ended('completed')).toBe('"sent 5"');
    expect(debug.pause.current.value).toBeNull();
  });

  it('that is set while a run is paused applies to that run', async () => {
    const { debug, panel, node, paused } = await openDebugger();
    debug.breakpoints.toggle(node('/0'));
    await panel.run();
    await paused();
    debug.breakpoints.toggle(node(SEND));
    await debug.pause.resume({ go: 'resume' });
    expect(await paused(1)).toBe(`${SEND} breakpoint`);
  });

  it('that is off, or that only logs, doesn’t pause the run', async () => {
    const { debug, panel, node, ended } = await openDebugger();
    debug.breakpoints.toggle(node('/0'));
    debug.breakpoints.setOff(true, '/0');
    debug.breakpoints.edit(node(ADD), 'log');
    debug.breakpoints.change({ log: 'adding {{currentItem}}' });
    debug.breakpoints.save(node(ADD));
    await panel.run();
    await ended('completed');
    const lines = panel.runs.shown.value!.trace.console;
    expect(lines.map(({ level, args }) => [level, args[0]])).toEqual([
      ['logpoint', expect.objectContaining({ v: 'adding 2' })],
      ['logpoint', expect.objectContaining({ v: 'adding 3' })],
    ]);
  });

  it('does nothing with a runtime that can’t pause, and says so until our engine is chosen', async () => {
    const { debug, panel, node, ended, paused } = await openDebugger({ isForeign: true });
    expect([debug.needsEngine.value, debug.isIgnored.value]).toEqual([true, false]);
    debug.breakpoints.toggle(node('/0'));
    expect(debug.isIgnored.value).toBe(true);
    await panel.run();
    await panel.tabs.current;
    await ended('failed');
    expect(panel.runs.shown.value!.trace.debuggerError).toMatchObject({ code: 'DEBUGGER_UNAVAILABLE' });
    debug.chooseEngine();
    expect(debug.isIgnored.value).toBe(false);
    await panel.run();
    expect(await paused()).toBe('/0 breakpoint');
  });
});

describe('during a pause', () => {
  const atSend = async () => {
    const opened = await openDebugger();
    opened.debug.breakpoints.toggle(opened.node(SEND));
    await opened.panel.run();
    await opened.paused();
    return opened;
  };

  it('the context can be edited as a whole, and the change is shown as an edit', async () => {
    const { debug, panel, ended } = await atSend();
    await debug.context.start();
    const text = debug.context.open.value!.text;
    debug.context.setText(text.replace('"sum": 5', '"sum": 7'));
    expect(debug.context.isChanged.value).toBe(true);
    await debug.context.apply();
    expect(debug.context.open.value).toBeNull();
    await debug.pause.resume({ go: 'resume' });
    expect(await ended('completed')).toBe('"sent 7"');
    const { trace } = panel.runs.shown.value!;
    expect(trace.order.find(({ path }) => path === SEND)!.edits).toMatchObject([{ path: '/sum', after: { v: 7 } }]);
  });

  it('values of the context can be edited in place, and the changes are shown as edits', async () => {
    const { debug, panel, ended } = await atSend();
    const { context } = debug;
    // The second one doesn’t wait for the first.
    const both = [context.setValue('/sum', '7'), context.setValue('/rows/1', '"two"')];
    expect(await Promise.all(both)).toEqual([null, null]);
    await debug.pause.resume({ go: 'resume' });
    expect(await ended('completed')).toBe('"sent 7"');
    const { trace } = panel.runs.shown.value!;
    expect(trace.order.find(({ path }) => path === SEND)!.edits).toMatchObject([
      { path: '/sum', before: { v: 5 }, after: { v: 7 } },
      { path: '/rows/1', before: { v: 2 }, after: { v: 'two' } },
    ]);
  });

  it('a value that can’t be applied in place is refused, with the reason, and nothing changes', async () => {
    const { debug, ended } = await atSend();
    const refused = async (pointer: string, json: string) => (await debug.context.setValue(pointer, json))?.code;
    expect(await refused('/sum', 'seven')).toBe('CONTEXT_NOT_JSON');
    expect(await refused('/sum', '{"a": 1, "a": 2}')).toBe('CONTEXT_DUPLICATE_NAME');
    expect(await refused('/sum', '12345678901234567890')).toBe('CONTEXT_NUMBER_CHANGED');
    expect(await refused('/gone', '1')).toBe('CONTEXT_VALUE_LOST');
    await debug.pause.resume({ go: 'resume' });
    expect(await ended('completed')).toBe('"sent 5"');
    expect(await refused('/sum', '7')).toBe('PAUSE_GONE');
  });

  it('unapplied changes of the context keep the run paused until they’re applied or discarded', async () => {
    const { debug, panel, ended } = await atSend();
    await debug.context.start();
    debug.context.setText('{"sum": 9}');
    panel.selection.openTab('watch');
    await debug.pause.resume({ go: 'resume' });
    expect(debug.pause.error.value).toMatchObject({ code: 'CONTEXT_UNAPPLIED' });
    expect(panel.selection.tab.value).toBe('context');
    expect(debug.pause.current.value).not.toBeNull();
    debug.context.discard();
    await debug.pause.resume({ go: 'resume' });
    expect(await ended('completed')).toBe('"sent 5"');
  });

  it('so does a value’s new text in its row', async () => {
    const { debug, ended } = await atSend();
    debug.context.hasDraft.value = true;
    await debug.pause.resume({ go: 'resume' });
    expect(debug.pause.error.value).toMatchObject({ code: 'CONTEXT_UNAPPLIED' });
    debug.context.hasDraft.value = false;
    expect(debug.pause.error.value).toBeNull();
    await debug.pause.resume({ go: 'resume' });
    expect(await ended('completed')).toBe('"sent 5"');
  });

  it('an edit that another one takes back isn’t shown', async () => {
    const { debug, panel, tab } = await atSend();
    for (const [from, to] of [
      ['"sum": 5', '"sum": 7'],
      ['"sum": 7', '"sum": 5, "note": "x"'],
    ] as const) {
      await debug.context.start();
      debug.context.setText(debug.context.open.value!.text.replace(from, to));
      await debug.context.apply();
    }
    await tab.page.until(() => panel.runs.shown.value!.trace.order.some(({ edits }) => edits.length > 2));
    const { trace } = panel.runs.shown.value!;
    const { edits } = trace.order.find(({ path }) => path === SEND)!;
    expect(differencesOf(edits).map(({ path, kind }) => `${path} ${kind}`)).toEqual(['/note added']);
  });

  it('the message about unapplied changes goes once they’re applied, discarded, or their run is gone', async () => {
    const { debug, panel, ended } = await atSend();
    const refused = async () => {
      await debug.context.start();
      debug.context.setText('{"sum": 9}');
      await debug.pause.resume({ go: 'resume' });
      expect(debug.pause.error.value).toMatchObject({ code: 'CONTEXT_UNAPPLIED' });
    };
    await refused();
    debug.context.discard();
    expect(debug.pause.error.value).toBeNull();
    await refused();
    debug.outcome.open();
    await debug.outcome.submit();
    expect(debug.outcome.error.value).toMatchObject({ code: 'CONTEXT_UNAPPLIED' });
    await debug.context.apply();
    expect([debug.pause.error.value, debug.outcome.error.value]).toEqual([null, null]);
    await debug.context.start();
    debug.context.setText('{"sum": 10}');
    await debug.pause.resume({ go: 'resume' });
    await panel.runs.stop();
    await ended('stopped');
    expect(debug.pause.error.value).toBeNull();
  });

  it('a context that’s too large for the page is refused at once', async () => {
    const { debug } = await atSend();
    await debug.context.start();
    debug.context.setText(`{"sum": "${'y'.repeat(20_000_000)}"}`);
    expect(debug.context.isChanged.value).toBe(true);
    expect(debug.context.open.value!.problem).toMatchObject({ problem: { code: 'CONTEXT_TOO_LARGE' } });
  });

  it('a long text is checked after the last key, and before it’s applied', async () => {
    const { debug } = await atSend();
    await debug.context.start();
    const long = `{"sum": 9, "long": "${'y'.repeat(200_000)}", }`;
    debug.context.setText(long);
    expect(debug.context.open.value!.problem).toBeNull();
    await vi.waitUntil(() => debug.context.open.value!.problem?.problem.code === 'CONTEXT_NOT_JSON');
    debug.context.setText(`${long} `);
    expect(debug.context.open.value!.problem).toBeNull();
    await debug.context.apply();
    expect(debug.context.open.value).toMatchObject({
      text: `${long} `,
      problem: { problem: { code: 'CONTEXT_NOT_JSON' } },
    });
  });

  it('a text that can’t be applied is refused, and stays', async () => {
    const { debug } = await atSend();
    await debug.context.start();
    debug.context.setText('{"sum": }');
    expect(debug.context.open.value!.problem).toMatchObject({ offset: 8, problem: { code: 'CONTEXT_NOT_JSON' } });
    debug.context.setText('[]');
    expect(debug.context.open.value!.problem).toMatchObject({ problem: { code: 'CONTEXT_NOT_OBJECT' } });
    debug.context.setText('{"a": 1, "a": 2}');
    expect(debug.context.open.value!.problem).toMatchObject({ offset: 9, problem: { code: 'CONTEXT_DUPLICATE_NAME' } });
    const lost = '{"sum": 1, "more": [{"$": "lost", "reason": "function"}]}';
    debug.context.setText(lost);
    await debug.context.apply();
    expect(debug.context.open.value).toMatchObject({
      text: lost,
      problem: { problem: { code: 'CONTEXT_VALUE_LOST', message: expect.stringContaining('/more has') } },
    });
  });

  it('the text that was being edited stays after the run has gone on elsewhere, but can’t be applied', async () => {
    const { debug, panel, tab } = await atSend();
    await debug.context.start();
    debug.context.setText('{"sum": 9}');
    await panel.services.inspector.debugger.resume(1, { go: 'resume' });
    await tab.page.until(() => panel.runs.live.value === null);
    await debug.context.apply();
    expect(debug.context.open.value).toMatchObject({
      text: '{"sum": 9}',
      problem: { problem: { code: 'PAUSE_GONE' } },
    });
    debug.context.discard();
    expect(debug.context.open.value).toBeNull();
  });

  it('the step’s outcome can be set to a value, an error, or nothing', async () => {
    const { debug, ended, calls } = await atSend();
    debug.outcome.open();
    expect(debug.outcome.kinds.value).toEqual(['value', 'error', 'skip']);
    debug.outcome.value.value = '{"isSent": ';
    expect(debug.outcome.problem.value).toMatch(/^Expected a value at line 1/);
    debug.outcome.value.value = '{"isSent": true}';
    await debug.outcome.submit();
    expect(await ended('completed')).toBe('{"isSent":true}');
    expect(debug.outcome.isOpen.value).toBe(false);
    expect(calls()).not.toContain('com.example.function.send');
  });

  it('an error that is set fails the run with its name and message', async () => {
    const { debug, panel, ended } = await atSend();
    debug.outcome.choose('error');
    expect(debug.outcome.problem.value).toBe('Enter a message');
    debug.outcome.errorName.value = 'RangeError';
    debug.outcome.errorMessage.value = 'No more mail.';
    await debug.outcome.submit();
    await ended('failed');
    expect(panel.runs.shown.value!.trace.error?.errorMessage).toContain('No more mail.');
    expect(panel.runs.shown.value!.trace.order.at(-1)).toMatchObject({ replaced: 'debugger', state: 'failed' });
  });

  it('watched expressions have values, errors, and the values after a change of the context', async () => {
    const { debug, tab } = await atSend();
    debug.watches.draft.value = 'sum +';
    expect(debug.watches.problem.value).not.toBeNull();
    debug.watches.add();
    for (const source of ['sum * 2', 'missing.name']) {
      debug.watches.draft.value = source;
      debug.watches.add();
    }
    await tab.page.until(() => debug.watches.list.value.every(({ value }) => value !== null));
    expect(debug.watches.list.value).toMatchObject([
      { source: 'sum * 2', value: { value: { v: 10 } } },
      { source: 'missing.name', value: { error: expect.stringContaining('missing') } },
    ]);
    await debug.context.start();
    debug.context.setText('{"sum": 21}');
    await debug.context.apply();
    await tab.page.until(() => JSON.stringify(debug.watches.list.value[0]!.value).includes('42'));
    debug.watches.remove('sum * 2');
    expect(debug.watches.list.value.map(({ source }) => source)).toEqual(['missing.name']);
  });

  it('another run that is shown makes way for the paused one', async () => {
    const { debug, panel, paused } = await atSend();
    await debug.pause.resume({ go: 'resume' });
    await panel.runs.settled();
    const [past] = panel.runs.records.value;
    debug.breakpoints.toggle(panel.page.nodes.value[0]!);
    void panel.run();
    await paused(1);
    await panel.runs.open(past!.id);
    expect(panel.runs.shown.value!.record.id).toBe(past!.id);
    await debug.pause.resume({ go: 'into' });
    expect(await paused(2)).toBe('/1 step');
    expect(panel.runs.shown.value!.record.id).toBe(panel.runs.live.value);
  });
});

describe('the commands', () => {
  it('step over, into, and out, force a branch, and are disabled until the next state', async () => {
    const { debug, panel, node, paused, ended, calls } = await openDebugger();
    expect(debug.pause.cannotResume.value).toBe('Start a run first');
    debug.breakpoints.toggle(node('/0'));
    await panel.run();
    expect(await paused()).toBe('/0 breakpoint');
    const resuming = debug.pause.resume({ go: 'over' });
    expect(debug.pause.cannotResume.value).toBe('Wait for the next step');
    await resuming;
    expect(await paused(1)).toBe('/1 step');
    await debug.pause.resume({ go: 'into' });
    expect(await paused(2)).toBe('/1/functions/0#0 step');
    expect(debug.outcome.branches.value.map(({ id, label }) => [id, label])).toEqual([
      ['0', 'when'],
      ['else', 'else'],
      ['none', 'no branch'],
    ]);
    debug.outcome.open();
    expect(debug.outcome.kind.value).toBe('branch');
    await debug.outcome.submit();
    expect(await paused(3)).toBe(`${ADD}#0 step`);
    await debug.pause.resume({ go: 'out' });
    expect(await paused(4)).toBe('/1/functions/0#1 step');
    await debug.pause.resume({ go: 'resume' });
    expect(await ended('completed')).toBe('"sent 6"');
    expect(calls()).not.toContain('com.example.function.skipped');
  });

  it('pause at a failure, whose value can be replaced so that the run completes', async () => {
    const { debug, panel, node, paused, ended } = await openDebugger();
    debug.setPauseOnFailure(true);
    debug.breakpoints.toggle(node(SEND));
    await panel.run();
    await paused();
    await debug.context.start();
    debug.context.setText('{"sum": 1000}');
    await debug.context.apply();
    await debug.pause.resume({ go: 'resume' });
    expect(await paused(1)).toBe(`${SEND} failure`);
    expect(debug.pause.current.value!.error).toMatchObject({ errorMessage: expect.stringContaining('too large') });
    expect(panel.selection.tab.value).toBe('result');
    debug.outcome.value.value = '"fine"';
    await debug.outcome.submit();
    expect(await ended('completed')).toBe('"fine"');
  });

  it('retry a failed step with the edited context, which the run shows as a change', async () => {
    const { debug, panel, tab, node, paused, ended, calls } = await openDebugger();
    debug.setPauseOnFailure(true);
    debug.breakpoints.toggle(node(SEND));
    await panel.run();
    await paused();
    await debug.context.start();
    expect(editorText(debug.context.open.value!.at)).toContain('before the step runs');
    debug.context.setText('{"sum": 1000}');
    await debug.context.apply();
    await debug.pause.resume({ go: 'resume' });
    expect(await paused(1)).toBe(`${SEND} failure`);
    await debug.context.start();
    expect(editorText(debug.context.open.value!.at)).toContain('Retry step runs the step again');
    debug.context.setText('{"sum": 7}');
    await debug.context.apply();
    const describePaused = () => describePause(debug.pause.current.value!, 'send', undefined);
    await tab.page.until(() => describePaused().edited.includes('7'));
    expect(describePaused().edited).toBe('sum: 5 → 7, rows removed, edited by you');
    await debug.pause.resume({ go: 'resume', outcome: { retry: true } });
    expect(await ended('completed')).toBe('"sent 7"');
    expect(calls().filter((name) => name.endsWith('send'))).toHaveLength(2);
    const step = panel.runs.shown.value!.trace.order.find(({ path }) => path === SEND)!;
    expect(step.attempts).toMatchObject([{ error: { errorType: 'TypeError' } }]);
    expect(replacedText(step)).toBeNull();
  });

  it('a run that paused and then fails opens its error', async () => {
    const { debug, panel, node, paused, ended } = await openDebugger();
    debug.breakpoints.toggle(node(SEND));
    await panel.run();
    await paused();
    expect(panel.selection.tab.value).toBe('context');
    await debug.context.start();
    debug.context.setText('{"sum": 1000}');
    await debug.context.apply();
    await debug.pause.resume({ go: 'resume' });
    await ended('failed');
    expect(panel.selection.tab.value).toBe('result');
    expect(panel.selection.path.value).toBe(SEND);
  });

  it('a skipped step and a chosen outcome are marked as what was done to them', () => {
    const step = { kind: 'function', replaced: 'debugger', branch: undefined } as const;
    expect(replacedText({ ...step, state: 'skipped' })?.text).toBe('skipped');
    expect(replacedText({ ...step, state: 'completed' })?.text).toBe('forced');
    expect(replacedText({ ...step, kind: 'if', branch: 0, state: 'completed' })?.text).toBe('forced');
    expect(replacedText({ ...step, replaced: 'mock', state: 'skipped' })?.text).toBe('mocked');
  });

  it('pause at the next step on request, and report why the run can’t be paused or resumed', async () => {
    const { debug, panel, tab, paused } = await openDebugger({
      pipeline: [{ functionPackage: 'wait' }, { functionPackage: 'done' }],
      functions: `wait: () => new Promise((resolve) => { go = resolve }), done() {},`,
    });
    const run = panel.run();
    await tab.page.until(() => panel.runs.live.value !== null && tab.page.run('typeof go') === 'function');
    const pausing = debug.pause.pause();
    expect(debug.pause.cannotPause.value).toBe('Wait for the next step');
    await pausing;
    tab.page.run('go()');
    expect(await paused()).toBe('/1 request');
    await run;
    await panel.services.inspector.debugger.resume(1, { go: 'resume' });
    await debug.pause.resume({ go: 'over' });
    expect(debug.pause.error.value).toMatchObject({ code: 'PAUSE_GONE' });
  });

  it('are blocked while DevTools has paused the page', async () => {
    const { debug, panel, node, paused } = await openDebugger();
    debug.breakpoints.toggle(node('/0'));
    await panel.run();
    await paused();
    panel.page.onEvent({ kind: 'debugger-paused', pause: { name: 'f', position: null } as never });
    expect(debug.pause.cannotResume.value).toBe('Resume the page in the debugger first');
    expect(debug.isControlled.value).toBe(false);
    panel.page.onEvent({ kind: 'debugger-resumed' });
    expect(debug.pause.cannotResume.value).toBeNull();
  });
});

describe('a pause in a run of another panel', () => {
  it('is shown and resumed by a panel that is opened during it', async () => {
    const first = await openDebugger();
    first.debug.breakpoints.toggle(first.node('/0'));
    await first.panel.run();
    await first.paused();
    await first.panel.runs.settled();
    first.panel.dispose();
    const { openPanel } = await import('../../shell/open-panel.ts');
    const { panel, tab, finished } = await openPanel('', { page: first.tab.page, name: first.name });
    await tab.page.until(() => panel.debug.pause.current.value !== null);
    await tab.page.until(() => panel.debug.breakpoints.byPath.value.has('/0'));
    await panel.debug.pause.resume({ go: 'resume' });
    await finished('completed');
    expect(closing.length).toBeGreaterThan(0);
  });

  it('that the other panel has resumed can’t be resumed again, which is said until the next run', async () => {
    const first = await openDebugger();
    first.debug.breakpoints.toggle(first.node('/0'));
    await first.panel.run();
    await first.paused();
    const { openPanel } = await import('../../shell/open-panel.ts');
    const { panel, tab } = await openPanel('', { page: first.tab.page, name: `${first.name} twice` });
    await tab.page.until(() => panel.debug.pause.current.value !== null);
    const resumed = [panel.debug.pause.resume({ go: 'resume' }), first.debug.pause.resume({ go: 'resume' })];
    await Promise.all(resumed);
    await tab.page.until(() => panel.runs.live.value === null && first.panel.runs.live.value === null);
    const [late] = [first.debug, panel.debug].filter(({ pause }) => pause.error.value);
    expect(late?.pause.error.value?.code).toBe('PAUSE_GONE');
    await first.panel.run();
    await tab.page.until(() => panel.runs.live.value !== null && first.panel.runs.live.value !== null);
    expect(late!.pause.error.value).toBeNull();
  });
});
