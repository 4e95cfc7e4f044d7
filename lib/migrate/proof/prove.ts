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
  type Difference,
  type GeneratedRun,
  type Proof,
  type ProofOptions,
  type ProvedStep,
  type RunAside,
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
  const { recordings, generated = [] } = options;
  for (const recording of [...recordings, ...generated.map((run) => run.recording)])
    comparisons.push(await compare(instrumented, recording, pipeline, options));
  return proofOf(steps, pipeline, recordings, comparisons, generated);
}

async function compare(
  code: string,
  recording: Recording,
  pipeline: readonly PipelineStep[],
  options: ProofOptions,
): Promise<Comparison> {
  const reason = whyOtherRevision(recording, pipeline) ?? (await whyNotRepeated(recording));
  if (reason) return { differences: [], unknown: [reason], steps: 0, isWhole: false };
  return new RunComparison(recording, options.dataSources).run(code, options.load, options.whenIdle);
}

/**
 * What the comparisons prove.
 * @param comparisons one for each recording, and then one for each generated run
 */
export function proofOf(
  steps: readonly StepReport[],
  pipeline: readonly PipelineStep[],
  recordings: readonly Recording[],
  comparisons: readonly Comparison[],
  generated: readonly GeneratedRun[] = [],
): Proof {
  const all = [...recordings, ...generated.map(({ recording }) => recording)];
  const runs = all.map((recording, index) => comparedRun(recording, comparisons[index] as Comparison, pipeline));
  const [recorded, made] = [runs.slice(0, recordings.length), runs.slice(recordings.length)];
  const branches = branchesOf(pipeline);
  countBranches(branches, recorded, made, generated);
  const facts = factsOf(steps, { recorded: recorded.filter(counts), made: made.filter(counts) }, branches);
  const proved = steps.map((step) => provedStep(step, facts, generated.length > 0));
  const aside = recorded.flatMap((run, recording): RunAside[] => (run.aside ? [{ recording, ...run.aside }] : []));
  return {
    status: worstOf(proved),
    steps: proved,
    comparisons: comparisons.slice(0, recordings.length),
    branches,
    coverage: coverageText(branches),
    aside,
    ...(generated.length > 0 && { generated: comparisons.slice(recordings.length) }),
  };
}

const counts = ({ aside }: ComparedRun): boolean => aside === null;

function countBranches(
  branches: readonly Branch[],
  recorded: readonly ComparedRun[],
  made: readonly ComparedRun[],
  generated: readonly GeneratedRun[],
): void {
  const byBlock = new Map(branches.map((branch) => [branch.block, branch]));
  for (const run of recorded.filter(counts))
    for (const block of run.blocks) {
      const branch = byBlock.get(block);
      if (branch) branch.runs++;
    }
  for (const [index, run] of made.entries())
    for (const block of counts(run) ? run.blocks : []) {
      const branch = byBlock.get(block);
      if (!branch) continue;
      if (branch.runs === 0) branch.example ??= (generated[index] as GeneratedRun).inputs;
      branch.generated = (branch.generated ?? 0) + 1;
    }
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
  runs: { recorded: ReadonlyMap<string, number>; made: ReadonlyMap<string, number> };
  /** Equal in a recorded run that was compared to its end, with nothing unknown. */
  equal: ReadonlySet<string>;
  /** With a block that never ran. */
  uncovered: ReadonlySet<string>;
}

function factsOf(
  steps: readonly StepReport[],
  { recorded, made }: { recorded: readonly ComparedRun[]; made: readonly ComparedRun[] },
  branches: readonly Branch[],
): Facts {
  const equal = new Set<string>();
  const differing = new Set<string>();
  const known = new Map(steps.map((step) => [step.path, step]));
  for (const { comparison } of [...recorded, ...made])
    for (const difference of comparison.differences) {
      // What differs before the first step is in code that belongs to none.
      const step = known.get(difference.path) ?? steps[0];
      if (step && !isNotMigrated(difference, step)) differing.add(step.path);
    }
  for (const { comparison, paths } of recorded) {
    const unknown = new Set(comparison.unknown.map(({ path }) => path));
    if (comparison.isWhole) for (const path of paths) if (!unknown.has(path)) equal.add(path);
  }
  const uncovered = new Set(
    branches.filter(({ runs, generated = 0 }) => runs + generated === 0).map(({ path }) => path),
  );
  return { differing, runs: { recorded: countPaths(recorded), made: countPaths(made) }, equal, uncovered };
}

/** Whether the code only stops where a step isn’t migrated, which the step’s level says. */
const isNotMigrated = ({ what, v3 }: Difference, { level, path }: StepReport): boolean =>
  (level === 'blocked' || level === 'needs-person') &&
  what === 'failure' &&
  String(v3).startsWith(`Error: ${path}`) &&
  String(v3).includes(' isn’t migrated: ');

function countPaths(runs: readonly ComparedRun[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { paths } of runs) for (const path of paths) counted.set(path, (counted.get(path) ?? 0) + 1);
  return counted;
}

function provedStep(step: StepReport, facts: Facts, isGenerated: boolean): ProvedStep {
  const { recorded, made } = facts.runs;
  const generated = isGenerated ? { generated: made.get(step.path) ?? 0 } : {};
  return { ...step, runs: recorded.get(step.path) ?? 0, ...generated, status: statusOf(step, facts) };
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
