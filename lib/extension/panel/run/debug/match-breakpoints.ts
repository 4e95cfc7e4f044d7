/** Finds the steps of breakpoints again after the pipeline has changed. */
import { matchSteps } from '../../../../debugging/pipelines/match-steps.ts';
import type { PipelineNode } from '../pipeline-tree.ts';
import { shortName } from '../../shared/short-name.ts';
import type { DebugData, StepBreakpoint } from './debug-data.ts';

/** In characters. Longer pipelines and steps aren't stored. */
const PIPELINE_LIMIT = 1_000_000;
const STEP_LIMIT = 20_000;

export const isStep = ({ kind }: PipelineNode): boolean => kind !== 'branch' && kind !== 'unknown';

export const stepLabel = ({ name, package: functionPackage, label }: PipelineNode): string =>
  name ?? (functionPackage ? shortName(functionPackage) : label);

/** Which step a breakpoint is of. */
export function stepFields(node: PipelineNode): Pick<StepBreakpoint, 'path' | 'label' | 'step'> {
  return { path: node.path, label: stepLabel(node), step: limited(JSON.stringify(node.source), STEP_LIMIT) };
}

/** The pipeline as it's stored with breakpoints. */
export const pipelineText = (nodes: readonly PipelineNode[]): string =>
  limited(JSON.stringify(pipelineOf(nodes)), PIPELINE_LIMIT);

const pipelineOf = (nodes: readonly PipelineNode[]): unknown[] =>
  nodes.filter(({ depth }) => depth === 0).map(({ source }) => source);

const limited = (text: string, limit: number): string => (text.length > limit ? '' : text);

/** Moves the breakpoints to their steps' new paths. Returns the same data if the pipeline is the same. */
export function matchBreakpoints(data: DebugData, nodes: readonly PipelineNode[]): DebugData {
  const now = pipelineText(nodes);
  const { breakpoints, gone } = data;
  if (breakpoints.length + gone.length === 0 || (now !== '' && now === data.pipeline)) return data;
  const steps = new Map(nodes.filter(isStep).map((node) => [node.path, node]));
  const before: unknown = data.pipeline === '' ? null : JSON.parse(data.pipeline);
  const newPaths = before === null ? null : invert(matchSteps(before, pipelineOf(nodes)));
  const matched: DebugData = { ...data, pipeline: now, breakpoints: [], gone: [] };
  const taken = new Set<string>();
  const place = (breakpoint: StepBreakpoint, path: string | undefined): void => {
    const node = path === undefined || taken.has(path) ? undefined : steps.get(path);
    if (!node) return void matched.gone.push(breakpoint);
    taken.add(node.path);
    matched.breakpoints.push({ ...breakpoint, ...stepFields(node) });
  };
  const byContent = pathsByContent(steps);
  for (const breakpoint of breakpoints)
    place(breakpoint, newPaths ? newPaths.get(breakpoint.path) : findStep(breakpoint, steps, byContent));
  // A step that was gone can be back.
  for (const breakpoint of gone) place(breakpoint, findStep(breakpoint, steps, byContent));
  return JSON.stringify(matched) === JSON.stringify(data) ? data : matched;
}

const invert = (paths: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...paths].map(([now, before]) => [before, now]));

function pathsByContent(steps: ReadonlyMap<string, PipelineNode>): Map<string, string[]> {
  return Map.groupBy(steps.keys(), (path) => stepFields(steps.get(path)!).step);
}

/** The step with the same content at the same path, or the only one with this content. */
function findStep(
  { path, step }: StepBreakpoint,
  steps: ReadonlyMap<string, PipelineNode>,
  byContent: ReadonlyMap<string, string[]>,
): string | undefined {
  // Without its content, it's only known by its path.
  if (step === '') return steps.has(path) ? path : undefined;
  const same = byContent.get(step) ?? [];
  return same.length === 1 ? same[0] : same.find((one) => one === path);
}
