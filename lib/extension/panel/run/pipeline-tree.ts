/** Converts a page's pipeline to tree nodes. The pipeline is untrusted, so invalid shapes never throw. */
import { isPartial, type LoopSource, type PathSummary, type Trace } from './trace.ts';
import { truncate } from '../../../shared/format.ts';

export interface PipelineNode {
  /** JSON Pointer to a step or a branch, such as `/2/conditions/0` or `/2/elseFunctions`. */
  path: string;
  depth: number;
  kind: 'function' | 'loop' | 'if' | 'branch' | 'unknown';
  /** Function package, `loop records`, `if Admin == true`, or `else`. */
  label: string;
  /** A function step's package. */
  package: string | null;
  /** The name that the pipeline's author gave the step, truncated. */
  name: string | null;
  hasChildren: boolean;
  loop: LoopSource | null;
  /** The step or condition block in the pipeline; for `else`, its steps. As untrusted as the pipeline. */
  source: unknown;
  /** For a branch, the path of its `if` and the branch's index. */
  branch?: { of: string; index: number | 'else' };
}

/** Deeper than any pipeline the engine accepts. */
const MAX_DEPTH = 200;

/** All steps and branches, parents first. */
export function pipelineNodes(pipeline: unknown): PipelineNode[] {
  const nodes: PipelineNode[] = [];
  addSteps(nodes, pipeline, '', 0);
  return nodes;
}

function addSteps(nodes: PipelineNode[], steps: unknown, base: string, depth: number): void {
  if (!Array.isArray(steps) || depth > MAX_DEPTH) return;
  steps.forEach((step: unknown, index) => addStep(nodes, step, `${base}/${index}`, depth));
}

function addStep(nodes: PipelineNode[], step: unknown, path: string, depth: number): void {
  const node: PipelineNode = {
    path,
    depth,
    kind: 'unknown',
    label: 'not a step',
    package: null,
    name: null,
    hasChildren: false,
    loop: null,
    source: step,
  };
  nodes.push(node);
  if (typeof step !== 'object' || step === null) return;
  const {
    type,
    functionPackage,
    function: alias,
    name,
    functions,
    items,
    range,
    conditions,
    elseFunctions,
  } = step as Record<string, unknown>;
  node.name = truncate(textOf(name)?.trim() ?? '', 80) || null;
  if (type === 'loop') {
    node.kind = 'loop';
    node.loop = loopSource(items, range);
    node.label = `loop ${loopText(node.loop, range)}`;
  } else if (type === 'if') {
    node.kind = 'if';
    node.label = 'if';
  } else if (type === undefined || type === 'function') {
    node.kind = 'function';
    node.package = textOf(functionPackage) ?? textOf(alias);
    node.label = node.package ?? 'no package';
  } else {
    node.label = `unknown type ${truncate(String(textOf(type) ?? typeof type), 40)}`;
  }
  const at = nodes.length;
  if (node.kind === 'if') addBranches(nodes, node, conditions, elseFunctions);
  else addSteps(nodes, functions, `${path}/functions`, depth + 1);
  node.hasChildren = nodes.length > at;
}

function addBranches(nodes: PipelineNode[], parent: PipelineNode, conditions: unknown, elseFunctions: unknown): void {
  const depth = parent.depth + 1;
  if (Array.isArray(conditions))
    conditions.forEach((block: unknown, index) => addBranch(nodes, parent, block, index, depth));
  if (Array.isArray(elseFunctions)) addElse(nodes, parent, elseFunctions, depth);
}

function addBranch(nodes: PipelineNode[], parent: PipelineNode, block: unknown, index: number, depth: number): void {
  const { condition, functions } =
    typeof block === 'object' && block !== null ? (block as Record<string, unknown>) : {};
  const path = `${parent.path}/conditions/${index}`;
  const label = `${index === 0 ? 'when' : 'or when'} ${truncate(textOf(condition) ?? '(a function)', 120)}`;
  nodes.push({
    path,
    depth,
    kind: 'branch',
    label,
    package: null,
    name: null,
    hasChildren: Array.isArray(functions) && functions.length > 0,
    loop: null,
    source: block,
    branch: { of: parent.path, index },
  });
  addSteps(nodes, functions, `${path}/functions`, depth + 1);
}

function addElse(nodes: PipelineNode[], parent: PipelineNode, steps: unknown[], depth: number): void {
  const path = `${parent.path}/elseFunctions`;
  nodes.push({
    path,
    depth,
    kind: 'branch',
    label: 'else',
    package: null,
    name: null,
    hasChildren: steps.length > 0,
    loop: null,
    source: steps,
    branch: { of: parent.path, index: 'else' },
  });
  addSteps(nodes, steps, path, depth + 1);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function loopSource(items: unknown, range: unknown): LoopSource | null {
  const name = textOf(items);
  if (name) return { items: name };
  if (typeof range !== 'object' || range === null) return null;
  const { from, to } = range as Record<string, unknown>;
  return typeof from === 'number' && typeof to === 'number' ? { total: Math.max(0, Math.floor(to - from) + 1) } : null;
}

function loopText(loop: LoopSource | null, range: unknown): string {
  if (loop === null) return '?';
  return 'items' in loop ? truncate(loop.items, 80) : rangeText(range);
}

function rangeText(range: unknown): string {
  const { from, to } = range as Record<string, unknown>;
  return `${String(from)} to ${String(to)}`;
}

/** Nodes that don't have a collapsed ancestor. */
export function openNodes(nodes: readonly PipelineNode[], collapsed: ReadonlySet<string>): PipelineNode[] {
  let hiddenBelow = Infinity;
  return nodes.filter((node) => {
    if (node.depth > hiddenBelow) return false;
    hiddenBelow = collapsed.has(node.path) ? node.depth : Infinity;
    return true;
  });
}

export type NodeState = 'idle' | 'running' | 'completed' | 'skipped' | 'failed' | 'stopped' | 'unstored';

/** What happened at a node in the displayed run: state, number of executions, and duration. */
export interface NodeRun {
  state: NodeState;
  count: number;
  failed: number;
  milliseconds: number | null;
  /** While it's running, when it started, in milliseconds since the run started. */
  runningSince?: number;
  /** For a loop, the number of iterations started and the expected total. */
  iterations?: number;
  total?: number;
  /** How many of the executions a mock has replaced. */
  mocked?: number;
  /** How many of the executions have their outcome from a recording. */
  recorded?: number;
  /** True if it may have run more often, because the rest of an enclosing step isn't stored. */
  isAtLeast?: boolean;
}

const IDLE: NodeRun = { state: 'idle', count: 0, failed: 0, milliseconds: null };
const UNSTORED: NodeRun = { ...IDLE, state: 'unstored' };

type TreeTrace = Pick<Trace, 'paths' | 'state' | 'unstored' | 'dropped'>;

export function nodeRun(node: PipelineNode, trace: TreeTrace | null): NodeRun {
  if (!trace) return IDLE;
  const mayHaveRun = trace.unstored ? trace.unstored.steps !== 0 : isPartial(trace) && trace.state !== 'running';
  const unknown = mayHaveRun ? UNSTORED : IDLE;
  if (node.branch) {
    const branch = trace.paths.get(node.branch.of)?.branches?.get(node.branch.index);
    return branch
      ? { state: endState(branch.state, trace), count: branch.count, failed: 0, milliseconds: null }
      : unknown;
  }
  const summary: PathSummary | undefined = trace.paths.get(node.path);
  if (!summary) return unknown;
  const { count, failed, milliseconds, iterations, total, mocked, recorded, lastStart } = summary;
  const state = endState(summary.state, trace);
  const runningSince = state === 'running' ? lastStart : undefined;
  const isAtLeast = trace.unstored ? isInUnstored(node.path, trace) : undefined;
  return { state, count, failed, milliseconds, runningSince, iterations, total, mocked, recorded, isAtLeast };
}

/** Whether the end of an enclosing step isn't stored. */
export function isInUnstored(path: string, { paths }: Pick<Trace, 'paths'>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (paths.get(path.slice(0, end))?.state === 'unstored') return true;
  return false;
}

/** Once the run has ended, nothing can still be running. */
function endState(state: NodeState, trace: TreeTrace): NodeState {
  if (state !== 'running' || trace.state === 'running') return state;
  return isPartial(trace) ? 'unstored' : 'stopped';
}
