/** Handles messages that read and change V3 actions. */
import {
  createActionV3,
  listActionsV3,
  publishActionV3,
  readActionV3,
  removeActionV3,
  runActionV3,
  unpublishActionV3,
  updateActionV3,
} from '../../../rest/index.ts';
import type { HandlersOf } from '../../messaging/receive.ts';
import type { Connections } from './connections.ts';

export function actionV3Handlers(connections: Connections): HandlersOf<'actionsV3'> {
  return {
    'actionsV3.list': ({ environmentId, ...args }, signal) =>
      connections.read(environmentId, ['actionsV3', args], signal, (connection, options) =>
        listActionsV3(connection, args, options),
      ),
    'actionsV3.get': ({ environmentId, ...args }, signal) =>
      connections.read(environmentId, ['actionV3', args], signal, (connection, options) =>
        readActionV3(connection, args, options),
      ),
    'actionsV3.create': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => createActionV3(connection, args)),
    'actionsV3.update': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => updateActionV3(connection, args)),
    'actionsV3.publish': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => publishActionV3(connection, args)),
    'actionsV3.unpublish': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => unpublishActionV3(connection, args)),
    'actionsV3.remove': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => removeActionV3(connection, args)),
    'actionsV3.run': ({ environmentId, ...args }) =>
      connections.change(environmentId, (connection) => runActionV3(connection, args)),
  };
}
