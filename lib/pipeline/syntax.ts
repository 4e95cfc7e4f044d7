/** Opens the grammar of conditions and loops to other modules: syntax tree, precedence, methods by kind of value, and paths. */
export type * from './condition/syntax/tree.ts';
export { parseCondition } from './condition/syntax/parser.ts';
export { BINARY } from './condition/operators.ts';
export { GLOBALS } from './condition/globals.ts';
export { isReadableGetter } from './condition/getters.ts';
export { type MethodKind, kindsWithMethod } from './condition/methods.ts';
export { findItems, itemsPath, keysIn } from './loops.ts';
