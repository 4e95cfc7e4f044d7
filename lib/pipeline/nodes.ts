/** Owns the compiled form of a pipeline: steps that were read once, checked, and linked in the order in which they run. */
import type { Context, PipelineFunction, PipelineStep } from './types.ts';

interface BaseNode {
  readonly path: string;
  /** The package of a function step; else the kind. */
  readonly name: string;
  /** As the caller gave it, for observers; a run reads nothing from it. */
  readonly step: PipelineStep;
  /** The step whose end follows the last of its own. */
  readonly parent: StepNode | null;
  /** The step after this one in the same list. */
  next: StepNode | null;
}
export interface FunctionNode extends BaseNode {
  readonly kind: 'function';
  readonly fn: PipelineFunction;
  /** A new copy at each call. */
  readonly settings: () => Record<string, unknown>;
  first: StepNode | null;
}
export interface LoopNode extends BaseNode {
  readonly kind: 'loop';
  /** Null for a loop over a range. */
  readonly items: string | null;
  readonly from: number;
  readonly to: number;
  first: StepNode | null;
}
export interface Branch {
  readonly test: (context: Context) => unknown;
  /** A function given in code may answer a Promise; the language never does. */
  readonly isCode: boolean;
  first: StepNode | null;
}
export interface IfNode extends BaseNode {
  readonly kind: 'if';
  readonly branches: Branch[];
  otherwise: { first: StepNode | null } | null;
}
export type StepNode = FunctionNode | LoopNode | IfNode;
