/** Owns the door of what all databases of the extension share. */
export { type AsideRecord, type AsideSchema, createAside, readOrSetAside, setAside } from './aside.ts';
export { type KnownDatabase, lookAside, writeAside } from './kept-aside.ts';
export { type Migration, openStore, type Store, type StoreOptions } from './open-store.ts';
export { asFault, type Fault, type FaultWords } from './words.ts';
