/**
 * The REST client. Each operation is a function `(connection, args, options) => Promise` that rejects with a
 * `CodedError`.
 */
export {
  createAction,
  listActions,
  listFunctions,
  listRevisions,
  publishAction,
  readRevision,
  removeAction,
  restoreRevision,
  updateAction,
} from './actions.ts';
export {
  type ActionV3Fields,
  createActionV3,
  listActionsV3,
  publishActionV3,
  readActionV3,
  removeActionV3,
  runActionV3,
  unpublishActionV3,
  updateActionV3,
} from './actions-v3.ts';
export { moveClock, readClock } from './clock.ts';
export { ENDPOINT_MISSING, endpointMissing, notSent, NotSentError, slow, unreachable } from './failures.ts';
export { createLog, listDataSources, listLogs, readRecording } from './logs.ts';
export { checkPage, issueOneTimeToken, listApps, listSessions, publishRelease } from './operations.ts';
export { runAction, runWithResult } from './runs.ts';
export type { CallOptions, ChangeChannel, Connection, EndpointGate, GatedRequest, SendRequest } from './types.ts';
