/** Defines the compiled form of a pipeline: validated steps, linked in execution order. */
import type { Context, PipelineFunction, PipelineStep } from './types.ts';

interface BaseNode {
  readonly path: string;
  /** The package of a function step, or the kind of any other step. */
  readonly name: string;
  /** The caller’s object, for observers. The run doesn’t read it. */
  readonly step: PipelineStep;
  /** The enclosing step. */
  readonly parent: StepNode | null;
  /** The next step in the same list. */
  next: StepNode | null;
}
export interface FunctionNode extends BaseNode {
  readonly kind: 'function';
  readonly fn: PipelineFunction;
  /** Returns a copy for each call. */
  readonly settings: () => Record<string, unknown>;
  first: StepNode | null;
}
export interface LoopNode extends BaseNode {
  readonly kind: 'loop';
  /** Null if the loop iterates over a range. */
  readonly items: string | null;
  readonly from: number;
  readonly to: number;
  first: StepNode | null;
}
export interface Branch {
  readonly test: (context: Context) => unknown;
  /** True for a function, which can return a Promise. Expressions never do. */
  readonly isCode: boolean;
  first: StepNode | null;
}
export interface IfNode extends BaseNode {
  readonly kind: 'if';
  readonly branches: Branch[];
  otherwise: { first: StepNode | null } | null;
}
export type StepNode = FunctionNode | LoopNode | IfNode;
