/** Defines the compact form of values, in which a run's events are transferred and stored. */
import type { RemoteValue } from './contract.ts';

/**
 * Strings, booleans, null, and numbers that JSON can represent stand for themselves, and complete plain objects and
 * arrays have short forms, at any depth. Any other value is a `RemoteValue`.
 */
export type CompactValue = RemoteValue | string | number | boolean | null | CompactObject | CompactArray;
/** Names and values in turn. */
export interface CompactObject {
  o: CompactValue[];
}
export interface CompactArray {
  a: CompactValue[];
}
