/** Finds a pipeline’s branches, and which of them ran. */
import type { RecordedStep, Recording } from '../../debugging/recording/format.ts';
import type { PipelineStep } from '../../pipeline/types.ts';
import { nestedLists, packageOf } from '../effects.ts';
import type { Branch } from './types.ts';

const IF_PACKAGE = 'com.platform.function.if';

/** The blocks of `if` steps and of packages that skip steps, and loops with no and with several items. */
export function branchesOf(pipeline: readonly PipelineStep[]): Branch[] {
  const branches: Branch[] = [];
  const visit = (steps: readonly PipelineStep[], path: string): void => {
    steps.forEach((step, index) => {
      const own = `${path}/${index}`;
      for (const [block, name] of blocksOf(step, own)) branches.push({ path: own, block, name, runs: 0 });
      for (const [list, name] of listsOf(step)) visit(list, `${own}/${name}`);
    });
  };
  visit(pipeline, '');
  return branches;
}

function blocksOf(step: PipelineStep, path: string): [block: string, name: string][] {
  const named = (block: string): [string, string] => [block, block];
  if (step.type === 'if') {
    const blocks = (step.conditions ?? []).map((_, index) => named(`${path}/conditions/${index}`));
    return [...blocks, step.elseFunctions ? named(`${path}/elseFunctions`) : [path, `none of ${path}`]];
  }
  if (step.type === 'loop') {
    // A range always has the same numbers.
    if (step.range) return [];
    return [
      [path, `${path} with no items`],
      [`${path}/functions`, `${path} with several items`],
    ];
  }
  return packageOf(step) === IF_PACKAGE ? [named(`${path}/functions`), [path, `none of ${path}`]] : [];
}

function listsOf(step: PipelineStep): [list: PipelineStep[], name: string][] {
  const names = [
    ...(step.functions ? ['functions'] : []),
    ...(step.conditions ?? []).map((_, index) => `conditions/${index}/functions`),
    ...(step.elseFunctions ? ['elseFunctions'] : []),
  ];
  return nestedLists(step).map((list, index) => [list, names[index] ?? '']);
}

/** The blocks that a run has taken. */
export function takenBlocks({ steps }: Pick<Recording, 'steps'>): Set<string> {
  return new Set(steps.flatMap((step) => takenBlock(step) ?? []));
}

function takenBlock({ kind, path, name, state, branch, iterations }: RecordedStep): string | null {
  if (kind === 'if') {
    if (branch === undefined) return null;
    return branch === null ? path : branch === 'else' ? `${path}/elseFunctions` : `${path}/conditions/${branch}`;
  }
  if (kind === 'loop') {
    if (iterations === 0) return path;
    return iterations !== undefined && iterations > 1 ? `${path}/functions` : null;
  }
  if (name !== IF_PACKAGE || (state !== 'skipped' && state !== 'completed')) return null;
  return state === 'skipped' ? path : `${path}/functions`;
}

export function coverageText(branches: readonly Branch[]): string {
  if (branches.length === 0) return 'The pipeline has no branches.';
  const missing = branches.filter(({ runs, generated = 0 }) => runs + generated === 0);
  const generated = branches.filter((branch) => branch.runs === 0 && !missing.includes(branch)).length;
  const only = generated > 0 ? `, ${generated} of them only with generated payloads` : '';
  const ran = `${branches.length - missing.length} of ${branches.length} branches ran${only}.`;
  if (missing.length === 0) return ran;
  const names = missing.slice(0, 3).map(({ name }) => name);
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  return `${ran} ${names.join(', ')}${more} never did.`;
}
