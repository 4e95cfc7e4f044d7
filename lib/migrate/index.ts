/** Migrates V2 actions to V3. Pure: the same in a page, in the panel, and in Node. */
export type * from './types.ts';
export { migrate } from './migrate.ts';
export type * from './proof/types.ts';
export type { Strength } from './proof/strength.ts';
