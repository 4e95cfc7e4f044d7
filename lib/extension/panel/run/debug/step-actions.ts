/** What can be done at a step of the pipeline: its breakpoint, and running to or from it. */
import type { StepPlace } from '../../../../debugging/stepper/types.ts';
import type { PipelineNode } from '../pipeline-tree.ts';
import type { RunDebug } from './run-debug.ts';
import type { StartingPoint } from './run-places.ts';

export interface StepAction {
  label: string;
  keys?: string;
  unavailable?: string | null;
  onPick: () => void;
}

export interface StepActionsOptions {
  debug: RunDebug;
  node: PipelineNode;
  /** The step in the displayed run; null if it has none. */
  from: StartingPoint | null;
  payload: string;
}

/** In groups. */
export function stepActions({ debug, node, from, payload }: StepActionsOptions): StepAction[][] {
  return [breakpointActions(debug, node), placeActions({ debug, node, from, payload })];
}

function breakpointActions({ breakpoints }: RunDebug, node: PipelineNode): StepAction[] {
  const breakpoint = breakpoints.byPath.value.get(node.path);
  const toggle = { keys: 'F9', onPick: () => breakpoints.toggle(node) };
  if (!breakpoint)
    return [
      { label: 'Add breakpoint', ...toggle },
      { label: 'Add conditional breakpoint…', onPick: () => breakpoints.edit(node) },
      { label: 'Add logpoint…', onPick: () => breakpoints.edit(node, 'log') },
    ];
  const { isOff = false } = breakpoint;
  return [
    { label: 'Remove breakpoint', ...toggle },
    { label: 'Edit breakpoint…', onPick: () => breakpoints.edit(node) },
    {
      label: isOff ? 'Turn breakpoint on' : 'Turn breakpoint off',
      onPick: () => breakpoints.setOff(!isOff, node.path),
    },
  ];
}

function placeActions({ debug: { places }, node, from, payload }: StepActionsOptions): StepAction[] {
  return [
    {
      label: 'Run to here',
      unavailable: places.cannotRunTo(),
      onPick: () => void places.runTo(placeTo(node, from), payload),
    },
    {
      label: 'Run from here…',
      unavailable: from ? places.cannotRunFrom(from.run) : 'Select a step of a run',
      onPick: () => from && places.ask(from),
    },
  ];
}

/** The same iteration as in a past run. A run in progress may already have passed it, so it stops at the next visit. */
function placeTo({ path }: PipelineNode, from: StartingPoint | null): StepPlace {
  const isPast = from !== null && from.run.trace.state !== 'running';
  return isPast && from.step.iteration.length > 0 ? { path, iteration: from.step.iteration } : { path };
}
