/** Compares runs that are paused at random steps with the same runs without pauses. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Breakpoint, ResumeCommand } from '../../../../lib/debugging/stepper/types.ts';
import type { PipelineStep, StepInfo } from '../../../../lib/pipeline/index.ts';
import { functions, payload, pipeline } from '../../pipeline/random-pipelines.ts';
import { placeOf, runPaused } from './run-paused.ts';

const RUNS = Number(process.env.RUNS ?? 300);
const go = fc.constantFrom<ResumeCommand['go']>('resume', 'into', 'over', 'out');

/** The paths of all steps. */
function pathsOf(steps: readonly PipelineStep[], path = ''): string[] {
  return steps.flatMap((step, index) => {
    const at = `${path}/${index}`;
    const blocks = step.type === 'if' ? (step.conditions ?? []) : [];
    return [
      at,
      ...pathsOf(step.type === 'if' ? [] : (step.functions ?? []), `${at}/functions`),
      ...blocks.flatMap((block, nth) => pathsOf(block.functions, `${at}/conditions/${nth}/functions`)),
      ...pathsOf(step.type === 'if' ? (step.elseFunctions ?? []) : [], `${at}/elseFunctions`),
    ];
  });
}

test('stepping visits exactly the steps of a run without pauses, in the same order, with the same end', () =>
  fc.assert(
    fc.asyncProperty(
      pipeline,
      payload,
      fc.array(go, { maxLength: 40 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      fc.boolean(),
      async (steps, given, commands, at, pauseOnFailure) => {
        const paths = pathsOf(steps);
        const breakpoints = [...new Set(at.map((nth) => paths[nth % paths.length]))]
          .filter((path) => path !== undefined)
          .map((path): Breakpoint => ({ path }));
        const plain = await runPaused(steps, functions, {}, undefined, { payload: structuredClone(given) });
        const left = [...commands];
        const places: string[] = [];
        const outs: { from: StepInfo; to: string }[] = [];
        let previous: { place: string; go: string; path: string; info: StepInfo } | null = null;
        const paused = await runPaused(
          steps,
          functions,
          { breakpoints, pauseOnFailure },
          (_stepper, { info, reason }) => {
            const place = placeOf(info);
            if (previous?.go === 'over' && reason === 'step') expect(isInside(info, previous)).toBe(false);
            if (previous?.go === 'out' && reason === 'step') outs.push({ from: previous.info, to: place });
            places.push(place);
            previous = { place, path: info.path, go: left.shift() ?? 'resume', info };
            return { go: previous.go as ResumeCommand['go'] };
          },
          { payload: structuredClone(given), start: (stepper) => stepper.pauseAtNext() },
        );
        expect(paused.steps).toEqual(plain.steps);
        expect(paused.result).toEqual(plain.result);
        expect(paused.error?.message).toBe(plain.error?.message);
        for (const { from, to } of outs) {
          const after = paused.steps.slice(paused.steps.indexOf(placeOf(from)) + 1);
          expect(after.find((place) => !isInBlock(place, from))).toBe(to);
        }
        // Each visit pauses at most once before its step, and once more if it fails.
        const before = paused.pauses.filter((pause) => !pause.endsWith('failure'));
        expect(new Set(before).size).toBe(before.length);
      },
    ),
    { numRuns: RUNS },
  ));

/** Whether a step ran in the block around another one, such as the same branch, or the same iteration of a loop. */
function isInBlock(place: string, { path, iteration }: StepInfo): boolean {
  const [at = '', ...indexes] = place.split('#');
  const list = path.slice(0, path.lastIndexOf('/') + 1);
  return at.startsWith(list) && iteration.every((index, nth) => String(index) === indexes[nth]);
}

/** Whether a step is nested in the same visit of another one. */
function isInside(
  { path, iteration }: { path: string; iteration: readonly number[] },
  outer: { place: string; path: string },
): boolean {
  const [, ...outerIteration] = outer.place.split('#');
  return path.startsWith(`${outer.path}/`) && outerIteration.every((index, nth) => String(iteration[nth]) === index);
}
