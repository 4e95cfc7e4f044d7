/** Handles messages that read and change platform resources. */
import {
  createAction,
  createLog,
  listActions,
  listApps,
  listDataSources,
  listFunctions,
  listLogs,
  listRevisions,
  moveClock,
  publishAction,
  readClock,
  readRecording,
  readRevision,
  removeAction,
  restoreRevision,
  runAction,
  runWithResult,
  updateAction,
} from '../../../rest/index.ts';
import type { HandlersOf } from '../../messaging/receive.ts';
import type { Connections } from './connections.ts';
import type { SessionPages } from '../session-pages.ts';

export function platformHandlers(
  connections: Connections,
  sessions: SessionPages,
): HandlersOf<'apps' | 'sessions' | 'functions' | 'dataSources' | 'logs' | 'clock'> {
  return {
    'apps.list': ({ environmentId }, signal) => connections.read(environmentId, ['apps'], signal, listApps),
    'sessions.list': async ({ environmentId, ...page }, signal) => {
      const connection = await connections.connect(environmentId);
      signal?.throwIfAborted();
      return sessions.list(connection, page, { signal });
    },
    'functions.list': ({ environmentId }, signal) =>
      connections.read(environmentId, ['functions'], signal, listFunctions),
    'dataSources.list': ({ environmentId, appId }, signal) =>
      connections.read(environmentId, ['dataSources', appId], signal, (connection, options) =>
        listDataSources(connection, { appId }, options),
      ),
    'logs.list': ({ environmentId, ...args }, signal) =>
      connections.read(environmentId, ['logs', args], signal, (connection, options) =>
        listLogs(connection, args, options),
      ),
    'logs.create': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => createLog(connection, args)),
    'logs.recording': ({ environmentId, ...args }, signal) =>
      connections.read(environmentId, ['recording', args], signal, async (connection, options) => ({
        text: await readRecording(connection, args, options),
      })),
    'clock.get': ({ environmentId }, signal) => connections.read(environmentId, ['clock'], signal, readClock),
    'clock.move': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => moveClock(connection, args)),
  };
}

export function actionHandlers(connections: Connections): HandlersOf<'actions'> {
  return {
    'actions.list': ({ environmentId, ...args }, signal) =>
      connections.read(environmentId, ['actions', args], signal, (connection, options) =>
        listActions(connection, args, options),
      ),
    'actions.create': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => createAction(connection, args)),
    'actions.update': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => updateAction(connection, args)),
    'actions.remove': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => removeAction(connection, args)),
    'actions.publish': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => publishAction(connection, args)),
    'actions.revisions': ({ environmentId, ...args }, signal) =>
      connections.read(environmentId, ['revisions', args], signal, (connection, options) =>
        listRevisions(connection, args, options),
      ),
    'actions.revision': ({ environmentId, ...args }, signal) =>
      connections.read(environmentId, ['revision', args], signal, (connection, options) =>
        readRevision(connection, args, options),
      ),
    'actions.restore': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => restoreRevision(connection, args)),
    'actions.run': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => runAction(connection, args)),
    'actions.runWithResult': ({ environmentId, ...args }) =>
      connections.change(environmentId, async (connection) => {
        const started = performance.now();
        const result = await runWithResult(connection, args);
        return { result, milliseconds: Math.round(performance.now() - started) };
      }),
  };
}
