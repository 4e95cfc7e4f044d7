/** Defines the compiled form of a pipeline: checked steps, linked in the order in which they run. */
import type { Context, PipelineFunction, PipelineStep } from './types.ts';

interface BaseNode {
  readonly path: string;
  /** The package of a function step; else the kind. */
  readonly name: string;
  /** The caller’s own, for observers. A run reads nothing from it. */
  readonly step: PipelineStep;
  /** The enclosing step. */
  readonly parent: StepNode | null;
  /** The next step of the same list. */
  next: StepNode | null;
}
export interface FunctionNode extends BaseNode {
  readonly kind: 'function';
  readonly fn: PipelineFunction;
  /** Makes a copy for each call. */
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
  /** A function, which may return a Promise. Expressions never do. */
  readonly isCode: boolean;
  first: StepNode | null;
}
export interface IfNode extends BaseNode {
  readonly kind: 'if';
  readonly branches: Branch[];
  otherwise: { first: StepNode | null } | null;
}
export type StepNode = FunctionNode | LoopNode | IfNode;
