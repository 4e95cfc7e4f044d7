/** Owns the door of the REST client: one function per operation, each `(connection, args, options) -> Promise` or a `CodedError`. */
export { checkCompilePage, listActions, listApps, listSessions, publishRelease } from './operations.ts';
export type { CallOptions, Connection } from './types.ts';
