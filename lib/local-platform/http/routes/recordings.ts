/** `GET …/logs/:logId/recording`: the recording of a log record’s run. */
import type { Context } from 'hono';
import { and, eq } from '../../db/drizzle.ts';
import { logs } from '../../db/schema.ts';
import { LOG_COLUMNS, logRecord } from '../../logs/write.ts';
import { absenceText } from '../../recordings/absence.ts';
import { findRecording } from '../../recordings/store.ts';
import { requireApp } from '../access.ts';
import type { Access } from '../auth.ts';
import { HttpError, notFound } from '../errors.ts';
import { idParam } from '../request.ts';
import { jsonGzip } from '../response.ts';
import { bind, type Route } from '../router.ts';
import type { Services } from '../services.ts';

/** Only for users, not for pages: a recording has everything that the run has seen. */
export const recordingRoutes = (services: Services): Route[] => [
  {
    path: '/v1/apps/:appId/logs/:logId/recording',
    auth: 'token',
    methods: { GET: bind(services, readRecording) },
  },
];

const HINT = 'Run the action again with record: true, which also records runs that complete.';

async function readRecording(services: Services, c: Context, access: Access): Promise<Response> {
  const { db, clock } = services;
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const logId = idParam(c, 'logId', 'log record');
  const isThis = and(eq(logs.id, logId), eq(logs.appId, app.id));
  const [row] = await db.select(LOG_COLUMNS).from(logs).where(isThis);
  if (!row) throw notFound(`log record ${logId} in app ${app.id}`);
  const found = await findRecording(db, app.id, logId, clock());
  if (found?.content) return jsonGzip(c, found.content);
  const why = await absenceText(db, logRecord(row), found?.missing ?? null, clock());
  throw new HttpError(404, 'NOT_FOUND', `Log record ${logId} has no recording: ${why}.`, { hint: HINT });
}
