/** Proves on recorded runs that V3 code does what the V2 pipeline did. */
import type { Recording } from '../../debugging/recording/format.ts';
import type { PipelineStep } from '../../pipeline/types.ts';
import type { StepReport } from '../types.ts';
import { type Reason, whyNotRepeated, whyOtherRevision } from './aside.ts';
import { RunComparison } from './comparison.ts';
import { branchesOf, coverageText, takenBlocks } from './coverage.ts';
import { instrument } from './instrument.ts';
import {
  type Branch,
  type Comparison,
  type Proof,
  type ProofOptions,
  type ProvedStep,
  type RunAside,
  type Status,
  STATUSES,
} from './types.ts';

export { whyNotRepeated };

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
  for (const recording of options.recordings)
    comparisons.push(await compare(instrumented, recording, pipeline, options));
  return proofOf(steps, pipeline, options.recordings, comparisons);
}

async function compare(
  code: string,
  recording: Recording,
  pipeline: readonly PipelineStep[],
  options: ProofOptions,
): Promise<Comparison> {
  const reason = whyOtherRevision(recording, pipeline) ?? (await whyNotRepeated(recording));
  if (reason) return { differences: [], unknown: [reason], steps: 0, isWhole: false };
  return new RunComparison(recording, options.dataSources).run(code, options.load);
}

/** What the comparisons prove. @param comparisons one for each recording */
export function proofOf(
  steps: readonly StepReport[],
  pipeline: readonly PipelineStep[],
  recordings: readonly Recording[],
  comparisons: Comparison[],
): Proof {
  const runs = recordings.map((recording, index) => comparedRun(recording, comparisons[index] as Comparison, pipeline));
  const counted = runs.filter(({ aside }) => aside === null);
  const branches = branchesOf(pipeline);
  for (const { blocks } of counted) for (const branch of branches) if (blocks.has(branch.block)) branch.runs++;
  const facts = factsOf(steps, counted, branches);
  const proved = steps.map((step) => ({
    ...step,
    runs: facts.runs.get(step.path) ?? 0,
    status: statusOf(step, facts),
  }));
  const aside = runs.flatMap((run, recording): RunAside[] => (run.aside ? [{ recording, ...run.aside }] : []));
  return { status: worstOf(proved), steps: proved, comparisons, branches, coverage: coverageText(branches), aside };
}

interface ComparedRun {
  comparison: Comparison;
  /** Why it proves nothing. */
  aside: Reason | null;
  paths: ReadonlySet<string>;
  blocks: ReadonlySet<string>;
}

function comparedRun(recording: Recording, comparison: Comparison, pipeline: readonly PipelineStep[]): ComparedRun {
  const { steps, unknown, differences } = comparison;
  const isCompared = steps > 0 || differences.length > 0 || comparison.isWhole;
  const other = whyOtherRevision(recording, pipeline);
  const aside = other ?? (isCompared ? null : (unknown[0] ?? { path: '', reason: 'The run has no steps.' }));
  return {
    comparison,
    aside,
    paths: new Set(recording.steps.map(({ path }) => path)),
    blocks: takenBlocks(recording),
  };
}

/** What the runs say about steps, by path. */
interface Facts {
  differing: ReadonlySet<string>;
  /** In how many runs it ran. */
  runs: ReadonlyMap<string, number>;
  /** Equal in a run that was compared to its end, with nothing unknown. */
  equal: ReadonlySet<string>;
  /** With a block that never ran. */
  uncovered: ReadonlySet<string>;
}

function factsOf(steps: readonly StepReport[], compared: readonly ComparedRun[], branches: readonly Branch[]): Facts {
  const runs = new Map<string, number>();
  const equal = new Set<string>();
  const differing = new Set<string>();
  const known = new Set(steps.map(({ path }) => path));
  for (const { comparison, paths } of compared) {
    // What differs before the first step is in code that belongs to none.
    for (const { path } of comparison.differences) differing.add(known.has(path) ? path : (steps[0]?.path ?? ''));
    const unknown = new Set(comparison.unknown.map(({ path }) => path));
    for (const path of paths) {
      runs.set(path, (runs.get(path) ?? 0) + 1);
      if (comparison.isWhole && !unknown.has(path)) equal.add(path);
    }
  }
  const uncovered = new Set(branches.filter((branch) => branch.runs === 0).map(({ path }) => path));
  return { differing, runs, equal, uncovered };
}

function statusOf({ path, level }: StepReport, { differing, equal, uncovered }: Facts): Status {
  if (differing.has(path)) return 'differs';
  if (level === 'blocked' || level === 'needs-person' || level === 'faithful') return level;
  return equal.has(path) && !uncovered.has(path) ? 'proved' : 'equal-so-far';
}

function worstOf(steps: readonly ProvedStep[]): Status {
  const ranks = steps.map(({ status }) => STATUSES.indexOf(status));
  return STATUSES[Math.max(0, ...ranks)] as Status;
}
