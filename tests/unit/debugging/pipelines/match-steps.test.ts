/** Tests how the steps of a changed pipeline are found in the earlier one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchSteps } from '../../../../lib/debugging/pipelines/match-steps.ts';
import { listSteps, withNested } from '../../../../lib/debugging/pipelines/steps.ts';
import type { Pipeline, PipelineStep } from '../../../../lib/pipeline/index.ts';
import { pipeline } from '../../pipeline/random-pipelines.ts';

const step = (functionPackage: string, settings?: object): PipelineStep => ({
  functionPackage,
  ...(settings && { settings: settings as Record<string, unknown> }),
});
const loop = (items: string, ...functions: Pipeline): PipelineStep => ({ type: 'loop', items, functions });
const branch = (condition: string, ...functions: Pipeline): PipelineStep => ({
  type: 'if',
  conditions: [{ condition, functions }],
});
const [A, B, C] = [step('a'), step('b'), step('c')] as const;
const mail = (to: string): PipelineStep => step('mail', { to });

const matches = (old: unknown, now: unknown): Record<string, string> => Object.fromEntries(matchSteps(old, now));
const pathsOf = (steps: unknown): string[] => withNested(listSteps(steps)).map(({ path }) => path);

describe('a step is found', () => {
  it('at its new place, by its content', () => {
    expect(matches([A, B, C], [C, A, B])).toEqual({ '/0': '/2', '/1': '/0', '/2': '/1' });
  });

  it('behind an inserted one', () => {
    expect(matches([A, B], [C, A, B])).toEqual({ '/1': '/0', '/2': '/1' });
  });

  it('in order if it has the content of others', () => {
    expect(matches([A, A, B, A], [C, A, A, B, A])).toEqual({ '/1': '/0', '/2': '/1', '/3': '/2', '/4': '/3' });
    expect(matches([A, B, A], [B, A])).toEqual({ '/0': '/1', '/1': '/2' });
  });

  it('in a loop that was put around it, and outside of one that was removed', () => {
    const around = { '/0/functions/0': '/0', '/0/functions/1': '/1' };
    expect(matches([A, B], [loop('list', A, B)])).toEqual(around);
    expect(matches([loop('list', A, B)], [A, B])).toEqual({ '/0': '/0/functions/0', '/1': '/0/functions/1' });
  });

  it('in another branch of an if', () => {
    const old: Pipeline = [{ type: 'if', conditions: [{ condition: 'x', functions: [A] }], elseFunctions: [B] }];
    const now: Pipeline = [{ type: 'if', conditions: [{ condition: 'x', functions: [B] }], elseFunctions: [A] }];
    expect(matches(old, now)).toEqual({
      '/0': '/0',
      '/0/conditions/0/functions/0': '/0/elseFunctions/0',
      '/0/elseFunctions/0': '/0/conditions/0/functions/0',
    });
  });

  it('with its nested steps if one of them has changed', () => {
    expect(matches([loop('x', A, mail('a'))], [C, loop('x', A, mail('b'))])).toEqual({
      '/1': '/0',
      '/1/functions/0': '/0/functions/0',
      '/1/functions/1': '/0/functions/1',
    });
  });

  it('at its path if only its settings or its condition have changed', () => {
    expect(matches([A, mail('a')], [A, mail('b')])).toEqual({ '/0': '/0', '/1': '/1' });
    expect(matches([branch('x > 1', A)], [branch('x > 2', A)])).toEqual({
      '/0': '/0',
      '/0/conditions/0/functions/0': '/0/conditions/0/functions/0',
    });
  });

  it('with changed settings behind an inserted one', () => {
    expect(matches([A, mail('a')], [B, A, mail('b')])).toEqual({ '/1': '/0', '/2': '/1' });
  });

  it('by its exact content elsewhere rather than at the same path', () => {
    expect(matches([mail('a'), B], [mail('b'), B, mail('a')])).toEqual({ '/2': '/0', '/1': '/1' });
    const old = [loop('x', A), B];
    expect(matches(old, [loop('x', C), branch('y', loop('x', A)), B])).toEqual({
      '/1/conditions/0/functions/0': '/0',
      '/1/conditions/0/functions/0/functions/0': '/0/functions/0',
      '/2': '/1',
    });
  });

  it('in its own loop rather than in another one that was removed', () => {
    const old = [loop('x', A, B), loop('y', A, C)];
    expect(matches(old, [loop('y', A, mail('a'))])).toEqual({ '/0': '/1', '/0/functions/0': '/1/functions/0' });
  });

  it('whatever the order of its settings, and in whatever way its package is named', () => {
    const old = [{ functionPackage: 'a', settings: { x: 1, y: { z: 2, w: [] } } }, B];
    const now = [B, { type: 'function', function: 'a', settings: { y: { w: [], z: 2 }, x: 1 }, functions: [] }];
    expect(matches(old, now)).toEqual({ '/0': '/1', '/1': '/0' });
  });
});

describe('a step isn’t found', () => {
  it('if it’s new, or has another package', () => {
    expect(matches([A], [B])).toEqual({});
    expect(matches([A], [A, A])).toEqual({ '/0': '/0' });
  });

  it('in what isn’t a pipeline', () => {
    for (const value of [null, 'x', {}, [null, 1, 'x', []], [{ type: 'if', conditions: [null, 3] }]])
      expect(matches([A], value)).toEqual({});
  });
});

it('accepts pipelines that contain themselves', () => {
  const cycle: PipelineStep = loop('x');
  cycle.functions!.push(cycle, A);
  expect(matches([cycle], [cycle])).toMatchObject({ '/0': '/0' });
});

it('matches 20,000 steps that moved', () => {
  const steps = Array.from({ length: 10_000 }, (_, n) => mail(String(n)));
  const found = matchSteps([...steps, ...steps], [...steps.slice(1), ...steps, steps[0]!]);
  expect(found.size).toBe(20_000);
  expect(found.get('/9998')).toBe('/9999');
});

/** Removes, inserts, moves, and changes steps of the outermost list. */
function edit(steps: Pipeline, edits: readonly (readonly [kind: number, at: number, to: number])[]): Pipeline {
  const edited = structuredClone(steps);
  for (const [kind, at, to] of edits) {
    const index = at % (edited.length + 1);
    if (kind === 0) edited.splice(index, 1);
    else if (kind === 1) edited.splice(index, 0, mail(String(to)));
    else if (kind === 2) edited.splice(to % (edited.length + 1), 0, ...edited.splice(index, 1));
    else if (edited[index]) edited[index] = { ...edited[index], functions: [...(edited[index].functions ?? []), A] };
  }
  return edited;
}
const edits = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat(), fc.nat()), { maxLength: 6 });
const options = { numRuns: Number(process.env.RUNS ?? 300) };

describe('random pipelines', () => {
  it('have all of their own steps at the same paths', () =>
    fc.assert(
      fc.property(pipeline, (steps) => {
        const found = matchSteps(steps, structuredClone(steps));
        expect([...found].filter(([now, old]) => now !== old)).toEqual([]);
        expect([...found.keys()].toSorted()).toEqual(pathsOf(steps).toSorted());
      }),
      options,
    ));

  it('never have two new steps of one old step, and only steps that exist, of the same package', () =>
    fc.assert(
      fc.property(pipeline, pipeline, edits, (steps, others, changes) => {
        for (const now of [edit(steps, changes), others]) {
          const found = matchSteps(steps, now);
          expect(new Set(found.values()).size).toBe(found.size);
          const [was, is] = [steps, now].map(
            (list) => new Map(withNested(listSteps(list)).map(({ path, kind, name }) => [path, `${kind} ${name}`])),
          );
          for (const [path, old] of found) {
            expect(is!.get(path)).toBeDefined();
            expect(is!.get(path)).toBe(was!.get(old));
          }
        }
      }),
      options,
    ));

  it('have steps with a unique content, wherever they were moved', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 8 }), fc.nat(), fc.nat(), (names, from, to) => {
        const steps = names.map(mail);
        const moved = edit(steps, [[2, from, to]]);
        const found = matchSteps(steps, moved);
        moved.forEach((one, index) => expect(steps[Number(found.get(`/${index}`)!.slice(1))]).toEqual(one));
      }),
      options,
    ));

  it('always have the same matches', () =>
    fc.assert(
      fc.property(pipeline, pipeline, (old, now) => {
        expect([...matchSteps(old, now)]).toEqual([...matchSteps(structuredClone(old), structuredClone(now))]);
      }),
      options,
    ));
});
