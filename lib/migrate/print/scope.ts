/** What a printer knows about the names around an expression, and what the expression needs. */
import type { HelperName } from '../helpers.ts';
import type { Kind } from './kinds.ts';

export interface Scope {
  /** The local variable that has the value of a name of the context, or null. */
  local(name: string): string | null;
  kindOf(name: string): Kind;
  /** How to write `context`, or a name such as `Math`. A property of the context comes first. */
  global(name: string): string;
  /** A name for the parameter of an arrow function that hides nothing that the code needs. */
  parameter(name: string): string;
  /** Adds a helper to the code. */
  use(helper: HelperName): void;
}
