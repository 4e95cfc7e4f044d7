/** What a step's menu offers, before, during, and after a run. */
import { describe, expect, it } from 'vitest';
import { stepActions } from '../../../../../../lib/extension/panel/run/debug/step-actions.ts';
import { ADD, openDebugger, SEND } from './open-debugger.ts';

async function opened(options: Parameters<typeof openDebugger>[0] = {}) {
  const all = await openDebugger(options);
  const { debug, node, panel } = all;
  const actions = (path: string) => {
    const run = panel.runs.shown.value;
    const step = run?.trace.order.findLast((one) => one.path === path);
    return stepActions({ debug, node: node(path), from: run && step ? { run, step } : null, payload: '{}' }).flat();
  };
  return {
    ...all,
    labels: (path: string) => actions(path).map(({ label }) => label),
    reasons: (path: string) => Object.fromEntries(actions(path).map(({ label, unavailable }) => [label, unavailable])),
    pick: (path: string, label: string) =>
      actions(path)
        .find((one) => one.label === label)!
        .onPick(),
  };
}

describe('a step’s menu', () => {
  it('adds, turns off, edits, and removes its breakpoint', async () => {
    const { debug, labels, node, pick } = await opened();
    expect(labels(SEND).slice(0, 3)).toEqual(['Add breakpoint', 'Add conditional breakpoint…', 'Add logpoint…']);
    pick(SEND, 'Add breakpoint');
    expect(labels(SEND).slice(0, 3)).toEqual(['Remove breakpoint', 'Edit breakpoint…', 'Turn breakpoint off']);
    pick(SEND, 'Turn breakpoint off');
    expect(debug.breakpoints.byPath.value.get(SEND)).toMatchObject({ isOff: true });
    expect(labels(SEND)).toContain('Turn breakpoint on');
    pick(SEND, 'Edit breakpoint…');
    debug.breakpoints.change({ hits: '= 2' });
    debug.breakpoints.save(node(SEND));
    expect(debug.breakpoints.byPath.value.get(SEND)).toMatchObject({ hits: 2, hitRule: 'at', isOff: true });
    pick(SEND, 'Remove breakpoint');
    pick(SEND, 'Add logpoint…');
    expect(debug.breakpoints.draft.value).toMatchObject({ kind: 'log', isNew: true });
    expect(debug.breakpoints.byPath.value.size).toBe(0);
  });

  it('runs to the step, and later from it, with the context of the last run', async () => {
    const { panel, debug, reasons, pick, paused, ended, calls } = await opened();
    expect(reasons(ADD)).toMatchObject({ 'Run to here': null, 'Run from here…': 'Select a step of a run' });
    pick(ADD, 'Run to here');
    expect(await paused()).toBe(`${ADD}#1 run-to`);
    expect(reasons(ADD)).toMatchObject({ 'Run from here…': 'Wait for the run to end, or stop it' });
    pick(SEND, 'Run to here');
    expect(await paused(1)).toBe(`${SEND} run-to`);
    await debug.pause.resume({ go: 'resume' });
    expect(await ended('completed')).toBe('"sent 5"');
    await panel.runs.settled();
    expect(reasons(ADD)['Run from here…']).toBeNull();
    pick(ADD, 'Run from here…');
    const before = calls().length;
    await debug.places.runFrom(debug.places.asking.value!, false);
    expect(await ended('completed')).toBe('"sent 5"');
    expect(calls().slice(before)).toEqual(['com.example.function.add', 'com.example.function.send']);
    const { order, paths } = panel.runs.shown.value!.trace;
    expect(order.filter(({ replaced }) => replaced === 'recording').length).toBeGreaterThan(2);
    expect(paths.get(ADD)).toMatchObject({ count: 2, recorded: 1 });
  });

  it('says that a runtime which can’t pause needs our engine', async () => {
    const { reasons } = await opened({ isForeign: true });
    expect(reasons(SEND)['Run to here']).toBe('Breakpoints need our engine');
  });
});
