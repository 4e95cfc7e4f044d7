/** Reads the log of an app. */
import * as v from 'valibot';
import { LOG_OUTCOMES } from '../../../platform-api/index.ts';
import { listLogs } from '../../../rest/index.ts';
import { actionToRun } from '../../run/action-to-run.ts';
import { defineTool } from '../tool.ts';
import { action, app, id } from './shared.ts';

const PAGE = 50;
const text = v.optional(v.pipe(v.string(), v.maxLength(300)));

export const listLogsTool = defineTool({
  name: 'list_logs',
  description:
    'List log records, newest first: runs of actions with result or failure. outcome, type, from and to (ISO times with zone) filter. before: a record’s ID, for older ones. Records with hasRecording can be opened.',
  entries: {
    app,
    action: v.optional(action),
    outcome: v.optional(v.picklist(LOG_OUTCOMES)),
    type: text,
    from: text,
    to: text,
    before: v.optional(id),
  },
  handler: async ({ app: given, action: wanted, ...filters }, call) => {
    const { session } = call;
    const appId = session.app(given);
    const found = wanted === undefined ? null : await actionToRun(session.connection, appId, wanted, call);
    const query = { ...filters, limit: PAGE, ...(found && { id: found.actionId }) };
    const { count, logs, unreadable = [] } = await listLogs(session.connection, { appId, query }, call);
    const items = logs.map(({ id: log, type, createdAt, sessionId, hasRecording, data }) => ({
      log,
      type,
      createdAt,
      ...(sessionId !== null && { sessionId }),
      ...(hasRecording && { hasRecording }),
      data,
    }));
    return {
      data: { count, ...(unreadable.length > 0 && { unreadable }) },
      list: {
        name: 'logs',
        items,
        offset: 0,
        total: null,
        hasMore: items.length > 0 && items.length + unreadable.length === PAGE,
        next: (last) => ({ before: (last as { log: number }).log }),
      },
    };
  },
});
