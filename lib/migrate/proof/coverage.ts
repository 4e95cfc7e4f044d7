/** Finds a pipeline’s branches, and which of them ran. */
import type { RecordedStep, Recording } from '../../debugging/recording/format.ts';
import { branchTo } from '../../debugging/replay/recorded-steps.ts';
import { isInside } from '../../debugging/replay/walk.ts';
import type { PipelineStep } from '../../pipeline/types.ts';
import { namedLists, packageOf } from '../effects.ts';
import type { Branch } from './types.ts';

const IF_PACKAGE = 'com.platform.function.if';

/** The blocks of `if` steps and of packages that skip steps, and loops with no and with several items. */
export function branchesOf(pipeline: readonly PipelineStep[]): Branch[] {
  const branches: Branch[] = [];
  const visit = (steps: readonly PipelineStep[], path: string): void => {
    steps.forEach((step, index) => {
      const own = `${path}/${index}`;
      for (const [block, name] of blocksOf(step, own)) branches.push({ path: own, block, name, runs: 0 });
      for (const [list, name] of namedLists(step)) visit(list, `${own}/${name}`);
    });
  };
  visit(pipeline, '');
  return branches;
}

function blocksOf(step: PipelineStep, path: string): [block: string, name: string][] {
  const named = (block: string): [string, string] => [block, block];
  if (step.type === 'if') {
    const blocks = (step.conditions ?? []).map((_, index) => named(`${path}/conditions/${index}`));
    return [...blocks, step.elseFunctions ? named(`${path}/elseFunctions`) : [path, `${path} without a match`]];
  }
  if (step.type === 'loop') {
    // A range always has the same numbers.
    if (step.range) return [];
    return [
      [path, `${path} with no items`],
      [`${path}/functions`, `${path} with several items`],
    ];
  }
  return packageOf(step) === IF_PACKAGE ? [named(`${path}/functions`), [path, `${path} without a match`]] : [];
}

/** The blocks that a run has taken. */
export function takenBlocks({ steps }: Pick<Recording, 'steps'>): Set<string> {
  const taken = new Set<string>();
  const open: RecordedStep[] = [];
  for (const [index, step] of steps.entries()) {
    const block = takenBlock(step, steps[index + 1]);
    if (block !== null) taken.add(block);
    // A loop that failed has no number of iterations.
    while (open.length > 0 && !isInside(step, open.at(-1)!)) open.pop();
    const loop = open.at(-1);
    if (loop && (step.iteration?.at(-1) ?? 0) > 0) taken.add(`${loop.path}/functions`);
    if (step.kind === 'loop') open.push(step);
  }
  return taken;
}

/** @param next the step that ran next. A step that failed is known by it only */
function takenBlock(step: RecordedStep, next: RecordedStep | undefined): string | null {
  const { kind, path, name, state, iterations = 1 } = step;
  const inner = next && isInside(next, step) ? next.path : null;
  if (kind === 'if') return takenBranch(step, inner);
  if (kind === 'loop') return iterations === 0 ? path : iterations > 1 ? `${path}/functions` : null;
  if (name !== IF_PACKAGE) return null;
  if (state === 'skipped') return path;
  return state === 'completed' || inner !== null ? `${path}/functions` : null;
}

function takenBranch({ path, branch }: RecordedStep, inner: string | null): string | null {
  const block = branch === undefined && inner !== null ? branchTo(inner, path) : branch;
  if (block === undefined) return null;
  return block === null ? path : block === 'else' ? `${path}/elseFunctions` : `${path}/conditions/${block}`;
}

const LIST = new Intl.ListFormat('en');

export function coverageText(branches: readonly Branch[]): string {
  if (branches.length === 0) return 'The pipeline has no branches.';
  const missing = branches.filter(({ runs, generated = 0 }) => runs + generated === 0);
  const generated = branches.filter((branch) => branch.runs === 0 && !missing.includes(branch)).length;
  const only = generated > 0 ? `, ${generated} of them only with generated payloads` : '';
  const ran = `${branches.length - missing.length} of ${branches.length} branches ran${only}.`;
  if (missing.length === 0) return ran;
  const names = missing.slice(0, 3).map(({ name }) => name);
  if (missing.length > 3) names.push(`${missing.length - 3} more`);
  return `${ran} ${LIST.format(names)} never did.`;
}
