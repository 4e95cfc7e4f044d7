/** Owns the door of what all databases of the extension share. */
export { type AsideRecord, type AsideSchema, createAside, readOrSetAside, setAside } from './aside.ts';
export { type Migration, openStore, type Store, type StoreOptions } from './open-store.ts';
export type { Fault, FaultWords } from './words.ts';
