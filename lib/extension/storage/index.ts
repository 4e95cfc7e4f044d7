export { DATABASES, type KnownDatabase, PUBLISH_DATABASE, RUN_DATABASE, VAULT_DATABASE } from './databases.ts';
export { eraseDatabases, erasePrivateData, stillInUse } from './erase-databases.ts';
export { asFault, type Fault, type FaultErrors, faultErrors } from './faults.ts';
export { exportQuarantine, inspectQuarantine } from './inspect.ts';
export { openExisting } from './open-existing.ts';
export { IndexedStore, type Migration, openStore, type Store, type StoreOptions } from './open-store.ts';
export {
  createQuarantine,
  type QuarantinedRecord,
  type QuarantineSchema,
  quarantine,
  readOrQuarantine,
} from './quarantine.ts';
