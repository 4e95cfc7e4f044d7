/** Opens the grammar of conditions to other modules: the syntax tree, precedence, and the methods of each kind of value. */
export type * from './condition/syntax/tree.ts';
export { parseCondition } from './condition/syntax/parser.ts';
export { BINARY } from './condition/operators.ts';
export { GLOBALS } from './condition/globals.ts';
export { isReadableGetter } from './condition/getters.ts';
export { type MethodKind, kindsWithMethod } from './condition/methods.ts';
