/** Routes for running V3 actions, and for the log records of their runs. */
import type { Context } from 'hono';
import * as v from 'valibot';
import { V3_PROFILES } from '../../../../platform-api/actions-v3/profiles.ts';
import { LogQuery, RunOrder } from '../../../../platform-api/index.ts';
import { findActionV3 } from '../../../apps/actions-v3/find.ts';
import { requireRate } from '../../../apps/actions-v3/rate.ts';
import { manualRun, modeOf, requireTrigger } from '../../../apps/actions/fire.ts';
import { listLogs } from '../../../logs/read.ts';
import { requireApp } from '../../access.ts';
import type { Access } from '../../auth.ts';
import { conflict, HttpError } from '../../errors.ts';
import { check, idParam, paging, queryJson, readJson } from '../../request.ts';
import { json } from '../../response.ts';
import { bind, type Route, type ServiceHandler } from '../../router.ts';
import type { Services } from '../../services.ts';
import { referenceParam } from '../actions.ts';
import { isPage, respondAwaited, respondQueued, type Requested, type Respond } from '../runs.ts';

const OrderV3 = v.pick(RunOrder, ['payload', 'mode']);

export function runV3Routes(services: Services): Route[] {
  const post = (path: string, handler: ServiceHandler): Route => ({
    path: `/v3/apps/:appId/actions/:action/${path}`,
    auth: 'page',
    methods: { POST: bind(services, handler) },
  });
  return [
    post('run', (each, c, access) => run(each, c, access, respondQueued)),
    post('run-with-result', (each, c, access) => run(each, c, access, respondAwaited)),
    { path: '/v3/apps/:appId/logs', auth: 'page', methods: { GET: bind(services, logs) } },
  ];
}

async function run(services: Services, c: Context, access: Access, respond: Respond): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const reference = referenceParam(c);
  const { payload, mode: requestedMode } = await readJson(c, OrderV3);
  const { clock, v3 } = services;
  const requested: Requested = async (tx) => {
    const mode = modeOf(access, requestedMode);
    const found = await findActionV3(tx, app.id, reference, mode);
    const { copy } = found;
    requireTrigger(copy, 'manual');
    requirePayloadSize(payload, V3_PROFILES[v3.profile].payload);
    const inPage = copy.environment === 'client';
    if (inPage && !isPage(access))
      throw conflict('CLIENT_ACTION_NOT_RUNNABLE', `The action ${copy.name} runs only on the client.`);
    await requireRate(tx, v3.rate, app.id);
    return { request: manualRun({ ...found, inPage }, mode, payload, access.depth, clock(), v3.profile), inPage };
  };
  return respond(services, c, access, app, requested);
}

/** @throws HttpError 413 */
function requirePayloadSize(payload: Record<string, unknown>, limit: number): void {
  const size = Buffer.byteLength(JSON.stringify(payload));
  if (size <= limit) return;
  const [most, found] = [limit, size].map((each) => each.toLocaleString('en'));
  throw new HttpError(
    413,
    'PAYLOAD_TOO_LARGE',
    `The payload is limited to ${most} bytes of JSON. This one has ${found}.`,
  );
}

/** Only records of V3 runs. */
async function logs(services: Services, c: Context, access: Access): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const { limit, offset } = paging(c);
  const id = c.req.query('id');
  const query = check(LogQuery, {
    ...(id !== undefined && { id: Number(id) }),
    ...(limit !== undefined && { limit }),
    where: queryJson(c, 'where') ?? {},
  });
  const where = { ...query.where, data: { ...query.where?.data, actionVersion: 'v3' } };
  return json(c, await listLogs(services.db, app.id, { ...query, where }, undefined, offset));
}
