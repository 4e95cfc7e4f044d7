/** Proves on recorded runs that V3 code does what the V2 pipeline did. */
import type { Recording } from '../../debugging/recording/format.ts';
import { replay } from '../../debugging/replay/replay.ts';
import type { PipelineStep } from '../../pipeline/types.ts';
import { nestedLists, packageOf } from '../effects.ts';
import type { StepReport } from '../types.ts';
import { RunComparison } from './comparison.ts';
import { instrument } from './instrument.ts';
import {
  type Branch,
  type Comparison,
  type Proof,
  type ProofOptions,
  type ProvedStep,
  type Status,
  STATUSES,
} from './types.ts';

/**
 * @param migration the code, which can have been edited, and the report of its steps
 * @param pipeline the V2 pipeline
 */
export async function prove(
  { code, steps }: { code: string; steps: readonly StepReport[] },
  pipeline: readonly PipelineStep[],
  options: ProofOptions,
): Promise<Proof> {
  const instrumented = instrument(code);
  const comparisons: Comparison[] = [];
  for (const recording of options.recordings) comparisons.push(await compare(instrumented, recording, options));
  return proofOf(steps, pipeline, options.recordings, comparisons);
}

/** What the comparisons prove. @param comparisons one for each recording */
export function proofOf(
  steps: readonly StepReport[],
  pipeline: readonly PipelineStep[],
  recordings: readonly Recording[],
  comparisons: Comparison[],
): Proof {
  const branches = branchesOf(pipeline, recordings);
  const proved = steps.map((step) => provedStep(step, recordings, comparisons, branches));
  return { status: worstOf(proved), steps: proved, comparisons, branches, coverage: coverageText(branches) };
}

async function compare(code: string, recording: Recording, options: ProofOptions): Promise<Comparison> {
  const unknown = await whyNotRepeated(recording);
  if (unknown) return { differences: [], unknown: [unknown], steps: 0, isWhole: false };
  return new RunComparison(recording, options.dataSources).run(code, options.load);
}

/** Why V2 itself wouldn’t repeat a recorded run, so that the run proves nothing. */
export async function whyNotRepeated(recording: Recording): Promise<{ path: string; reason: string } | null> {
  const end = await replay(recording);
  if (end.state === 'unknown') return { path: end.path, reason: end.cause.message };
  if (end.state !== 'diverged') return null;
  return { path: end.divergence.path, reason: 'V2 doesn’t repeat the recorded run.' };
}

function provedStep(
  step: StepReport,
  recordings: readonly Recording[],
  comparisons: readonly Comparison[],
  branches: readonly Branch[],
): ProvedStep {
  const runs = recordings.filter((recording) => recording.steps.some(({ path }) => path === step.path)).length;
  return { ...step, runs, status: statusOf(step, runs, comparisons, branches) };
}

function statusOf(
  { path, level }: StepReport,
  runs: number,
  comparisons: readonly Comparison[],
  branches: readonly Branch[],
): Status {
  if (comparisons.some(({ differences }) => differences.some((difference) => difference.path === path)))
    return 'differs';
  if (level === 'blocked' || level === 'needs-person') return level;
  if (level === 'faithful') return 'faithful';
  const isUnknown = comparisons.some(({ unknown }) => unknown.some((each) => each.path === path));
  const isCovered = branches.every((branch) => branch.path !== path || branch.runs > 0);
  const isWhole = comparisons.every((each) => each.isWhole);
  return runs > 0 && isCovered && isWhole && !isUnknown ? 'proved' : 'equal-so-far';
}

function worstOf(steps: readonly ProvedStep[]): Status {
  const ranks = steps.map(({ status }) => STATUSES.indexOf(status));
  return STATUSES[Math.max(0, ...ranks)] as Status;
}

/** The blocks of all `if` steps and packages that skip steps, with the number of recorded runs that took each. */
function branchesOf(pipeline: readonly PipelineStep[], recordings: readonly Recording[]): Branch[] {
  const branches: Branch[] = [];
  const visit = (steps: readonly PipelineStep[], path: string): void => {
    steps.forEach((step, index) => {
      const own = `${path}/${index}`;
      for (const block of blocksOf(step, own)) branches.push({ path: own, block, runs: 0 });
      for (const [list, name] of listsOf(step)) visit(list, `${own}/${name}`);
    });
  };
  visit(pipeline, '');
  const byBlock = new Map(branches.map((branch) => [branch.block, branch]));
  for (const { steps } of recordings) {
    const taken = new Set(steps.flatMap((step) => takenBlock(step) ?? []));
    for (const block of taken) {
      const branch = byBlock.get(block);
      if (branch) branch.runs++;
    }
  }
  return branches;
}

function blocksOf(step: PipelineStep, path: string): string[] {
  if (step.type === 'if') {
    const blocks = (step.conditions ?? []).map((_, index) => `${path}/conditions/${index}`);
    return [...blocks, step.elseFunctions ? `${path}/elseFunctions` : path];
  }
  return packageOf(step) === 'com.platform.function.if' ? [`${path}/functions`, path] : [];
}

function listsOf(step: PipelineStep): [list: PipelineStep[], name: string][] {
  const names = [
    ...(step.functions ? ['functions'] : []),
    ...(step.conditions ?? []).map((_, index) => `conditions/${index}/functions`),
    ...(step.elseFunctions ? ['elseFunctions'] : []),
  ];
  return nestedLists(step).map((list, index) => [list, names[index] ?? '']);
}

function takenBlock({ kind, path, name, state, branch }: Recording['steps'][number]): string | null {
  if (kind === 'if') {
    if (branch === undefined) return null;
    return branch === null ? path : branch === 'else' ? `${path}/elseFunctions` : `${path}/conditions/${branch}`;
  }
  if (name !== 'com.platform.function.if') return null;
  return state === 'skipped' ? path : `${path}/functions`;
}

function coverageText(branches: readonly Branch[]): string {
  const missing = branches.filter(({ runs }) => runs === 0);
  if (branches.length === 0) return 'The pipeline has no branches.';
  const ran = `${branches.length - missing.length} of ${branches.length} branches ran.`;
  if (missing.length === 0) return ran;
  const names = missing.slice(0, 3).map(({ path, block }) => (path === block ? `none of ${path}` : block));
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  return `${ran} ${names.join(', ')}${more} never did.`;
}
