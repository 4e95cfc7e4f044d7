/** Operations on an app’s log, and on the data sources that log records refer to (decisions, "Platform endpoints"). */
import * as v from 'valibot';
import type { LogList, LogQueryInput, NewLog } from '../platform-api/index.ts';
import { DataSource, LogRecord, LogResponse } from '../platform-api/index.ts';
import { unreadableOf } from '../platform-api/lists/unreadable.ts';
import { readJsonText } from './body.ts';
import { exchange, JSON_TYPE } from './exchange.ts';
import { change, getList, MB, parsed, readItems } from './json.ts';
import type { CallOptions, Connection } from './types.ts';

const LogsWhole = v.looseObject({ count: v.pipe(v.number(), v.integer()), logs: v.array(v.unknown()) });

/** `GET /v1/apps/:appId/logs`: newest first. `count` is the total number of matches. */
export async function listLogs(
  connection: Connection,
  args: { appId: number; query: LogQueryInput },
  options: CallOptions = {},
): Promise<LogList> {
  const parameters = Object.entries(args.query).flatMap(([name, value]) =>
    value == null ? [] : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]],
  );
  const query = new URLSearchParams(parameters).toString();
  const path = `/v1/apps/${args.appId}/logs${query && `?${query}`}`;
  return exchange(connection, { method: 'GET', path, accept: JSON_TYPE }, options, async (response) => {
    const form = { key: 'logs', item: LogRecord, what: 'list of logs' };
    const { count, logs } = await parsed(response, LogsWhole, form.what, 32 * MB);
    const read = readItems(connection, logs, form, response.status);
    return { count, logs: read, unreadable: [...unreadableOf(read)] };
  });
}

/** `POST /v1/apps/:appId/logs`: fires actions with a matching log trigger. @throws the errors of `change` */
export async function createLog(
  connection: Connection,
  args: { appId: number; log: NewLog },
  options: CallOptions = {},
): Promise<LogRecord> {
  const request = { method: 'POST', path: `/v1/apps/${args.appId}/logs`, body: args.log } as const;
  const uncertainty = {
    what: 'whether the log record was added',
    hint: 'Check the logs before you add the record again. A second record would fire the same actions again.',
  };
  return (
    await change(connection, request, uncertainty, options, (response) =>
      parsed(response, LogResponse, 'log record', 4 * MB),
    )
  ).log;
}

/** Larger than any recording that the local platform stores. */
const RECORDING_SIZE = 16 * MB;

/** `GET /v1/apps/:appId/logs/:logId/recording`: the recording of a log record’s run, as JSON. */
export async function readRecording(
  connection: Connection,
  { appId, logId }: { appId: number; logId: number },
  options: CallOptions = {},
): Promise<string> {
  const path = `/v1/apps/${appId}/logs/${logId}/recording`;
  const { text } = await exchange(connection, { method: 'GET', path, accept: JSON_TYPE }, options, (response) =>
    readJsonText(response, RECORDING_SIZE),
  );
  return text;
}

/** `GET /v1/apps/:appId/data-sources`. */
export async function listDataSources(
  connection: Connection,
  args: { appId: number },
  options: CallOptions = {},
): Promise<DataSource[]> {
  const form = { key: 'dataSources', item: DataSource, what: 'list of data sources', limit: 8 * MB };
  return getList(connection, `/v1/apps/${args.appId}/data-sources`, form, options);
}
