/** Explains why a step or branch of the pipeline didn't run in a run, from the run's trace. */
import { truncate } from '../../../shared/format.ts';
import { conditionValues, type ConditionValue } from './why/condition-values.ts';
import { contextAfter } from './build-trace.ts';
import { isInUnstored, nodeRun, type PipelineNode } from './pipeline-tree.ts';
import { replacedText } from './replaced.ts';
import { conditionOf } from './step-definition.ts';
import { branchText } from './timeline/step-texts.ts';
import { isPartial, type RunState, type Trace, type TraceStep } from './trace.ts';

export interface NotRun {
  /** `pending` if the step might still run. */
  state: 'pending' | 'not-run' | 'unknown';
  reason: string;
  /** The names that the deciding condition reads, with their values when it was last evaluated. */
  values: ConditionValue[];
}

/** Maximum characters of a name or a condition in a reason. */
const NAME_LENGTH = 120;

const UNTRACED = {
  wrapped: 'This page’s runtime reports function calls without their place in the pipeline.',
  bare: 'This page’s runtime reports only the start and end of a run.',
};
const ENDED: Record<Exclude<RunState, 'running' | 'interrupted'>, string> = {
  completed: 'This run doesn’t have the step. The pipeline may have changed since then.',
  failed: 'The run failed before this step.',
  stopped: 'The run was stopped before this step.',
};

const NOT_STORED: NotRun = {
  state: 'unknown',
  reason: 'Part of this run’s events is missing, so the step may have run.',
  values: [],
};

/**
 * Null if the node ran.
 * @param nodes the whole pipeline, parents first
 * @param isCut whether the run was stored in part
 */
export function whyNotRun(
  node: PipelineNode,
  nodes: readonly PipelineNode[],
  trace: Trace,
  isCut: boolean,
): NotRun | null {
  if (trace.tracing !== 'observed') return { state: 'unknown', reason: UNTRACED[trace.tracing], values: [] };
  const chain = [...ancestorsOf(node, nodes), node];
  const first = chain.findIndex((one) => nodeRun(one, trace).count === 0);
  if (first === -1) return null;
  if (trace.unstored && isInUnstored(node.path, trace)) return NOT_STORED;
  // The step may have run in what is missing, whatever the rest says.
  if (isPartial(trace) || isCut) return NOT_STORED;
  const parent = chain[first - 1] ?? null;
  const found = parent && reasonIn(parent, chain[first] as PipelineNode, trace);
  const { state } = trace;
  if (found) return { state: state === 'running' ? 'pending' : 'not-run', values: [], ...found };
  if (state === 'running' || state === 'interrupted')
    return { state: 'pending', reason: 'The run hasn’t reached this step yet.', values: [] };
  return { state: 'not-run', reason: failedBefore(node, nodes, trace) ?? ENDED[state], values: [] };
}

/** Steps around the node count as before it. */
function failedBefore(node: PipelineNode, nodes: readonly PipelineNode[], trace: Trace): string | null {
  const failed = trace.failedStep === null ? undefined : trace.steps.get(trace.failedStep);
  if (!failed || nodes.findIndex(({ path }) => path === failed.path) > nodes.indexOf(node)) return null;
  return `An earlier step failed: ${nameOf(failed)}.`;
}

/** Outermost first. */
function ancestorsOf(node: PipelineNode, nodes: readonly PipelineNode[]): PipelineNode[] {
  const ancestors: PipelineNode[] = [];
  let { depth } = node;
  for (let index = nodes.indexOf(node) - 1; index >= 0 && depth > 0; index--) {
    const before = nodes[index] as PipelineNode;
    if (before.depth >= depth) continue;
    depth = before.depth;
    ancestors.unshift(before);
  }
  return ancestors;
}

type Reason = Pick<NotRun, 'reason'> & Partial<NotRun>;

/** Why `child` didn't run although `parent` did; null if that isn't the parent's doing. */
function reasonIn(parent: PipelineNode, child: PipelineNode, trace: Trace): Reason | null {
  if (parent.kind === 'branch') return null;
  const steps = trace.order.filter(({ path }) => path === parent.path);
  const last = steps.at(-1);
  if (!last) return null;
  if (steps.every(({ replaced, branch }) => replaced !== undefined && branch === undefined))
    return { reason: `Its parent step didn’t run itself: ${nameOf(last)} was ${replacedText(last)!.text}.` };
  if (parent.kind === 'if') return branchReason(parent, child, steps, last, trace);
  if (parent.kind === 'loop') {
    if (last.error?.code === 'LOOP_ITEMS_INVALID') return { reason: 'The loop failed: its items aren’t an array.' };
    return steps.every(({ iterations }) => iterations === 0) ? { reason: noItems(parent) } : null;
  }
  if (last.state === 'failed') return { reason: `Its parent step failed: ${nameOf(last)}.` };
  return steps.every(({ state }) => state === 'skipped')
    ? { reason: `Its parent step skipped its nested steps: ${nameOf(last)}.` }
    : null;
}

function noItems({ loop }: PipelineNode): string {
  return loop && 'items' in loop
    ? `The loop had no items: “${truncate(loop.items, NAME_LENGTH)}” was empty.`
    : 'The loop had no items: its range is empty.';
}

function branchReason(
  parent: PipelineNode,
  { branch }: PipelineNode,
  steps: TraceStep[],
  last: TraceStep,
  trace: Trace,
): Reason | null {
  const ended = steps.filter(({ branch: taken }) => taken !== undefined);
  const deciding = ended.at(-1);
  if (!deciding || !branch) {
    const isFailed = last.error?.code === 'CONDITION_FAILED' && last.error.path === parent.path;
    return isFailed ? { reason: 'A condition of its “if” failed.' } : null;
  }
  const times = ended.length > 1 ? ` The “if” ran ${ended.length.toLocaleString('en')} times.` : '';
  const forced = replacedText(deciding);
  if (forced) return { reason: `${forcedText(deciding)} ${forced.explanation}${times}` };
  const taken = deciding.branch ?? null;
  const isEarlier = typeof taken === 'number' && (branch.index === 'else' || taken < branch.index);
  const decidingIndex = isEarlier ? taken : branch.index;
  if (typeof decidingIndex !== 'number') return null;
  const condition = conditionAt(parent, decidingIndex);
  const text = truncate(condition, NAME_LENGTH);
  return {
    reason: isEarlier
      ? `Another branch ran, because its condition was true: ${text}.${times}`
      : `Its condition was false: ${text}.${times}`,
    values: trace.omitted.changes > 0 ? [] : conditionValues(condition, contextAfter(trace, deciding.changesBefore)),
  };
}

const forcedText = ({ branch = null }: TraceStep): string =>
  `The “if” took ${branch === null ? 'no branch' : branchText(branch)}.`;

function conditionAt({ source }: PipelineNode, index: number): string {
  const { conditions } = source as { conditions?: unknown };
  return conditionOf(Array.isArray(conditions) ? conditions[index] : undefined);
}

function nameOf({ name, path }: TraceStep): string {
  return `${truncate(name, NAME_LENGTH)}${path === null ? '' : ` (${path})`}`;
}
