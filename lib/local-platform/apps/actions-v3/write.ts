/** Creates, updates, removes, and publishes V3 actions. Validates the whole action before storing anything. */
import {
  actionV3Problems,
  V3_PACKAGES,
  type ActionV3Change,
  type ActionV3Content,
  type NewActionV3,
  type ProblemV3,
} from '../../../platform-api/actions-v3/index.ts';
import { conflict, HttpError } from '../../http/errors.ts';
import type { AppRow } from '../../http/access.ts';
import type { Mode } from '../../http/auth.ts';
import type { ActionRow } from '../actions/find.ts';
import { findRevision } from '../actions/revisions.ts';
import { deleteRow, insertAction, requireRevision, storeCopy, storePublished, type Stored } from '../actions/write.ts';
import { contentOf, findActionV3, type CopyV3 } from './find.ts';

const MAX_DETAILS = 20;

/** The error for invalid properties: the code of the first problem, and all of them as `details`. */
export function invalidV3(problems: readonly ProblemV3[]): HttpError {
  const [{ code, message }] = problems as [ProblemV3];
  return new HttpError(422, code, `The action is invalid: ${message}`, { details: problems.slice(0, MAX_DETAILS) });
}

/** @throws HttpError 422; 409 `NAME_TAKEN` */
export async function createActionV3(services: Stored, appId: number, input: NewActionV3): Promise<ActionRow> {
  const content: ActionV3Content = {
    name: input.name,
    code: input.code,
    description: input.description ?? null,
    active: input.active ?? false,
    environment: input.environment ?? 'server',
    triggers: input.triggers ?? [],
    dependencies: input.dependencies ?? [],
    frequency: input.frequency ?? null,
    timezone: input.timezone ?? null,
  };
  await requireValid(services, content);
  return insertAction(services, { ...copyOf(content), appId });
}

/** Changes the master copy. @throws HttpError 404, 422; 409 `ACTION_NOT_V3`, `CONFLICT`, `NAME_TAKEN` */
export async function updateActionV3(
  services: Stored,
  appId: number,
  id: string,
  { revision, ...change }: ActionV3Change,
  seen: number | undefined,
): Promise<ActionRow> {
  const { row, copy } = await findActionV3(services.db, appId, { text: id, by: 'id' }, 'preview');
  requireRevision(row, seen ?? revision);
  const content = contentOf({ ...contentOf(copy), ...defined(change) });
  await requireValid(services, content);
  return storeCopy(services, row, copyOf(content), { change: 'update' });
}

/** @throws HttpError 404, also `VERSION_NOT_FOUND`; 422 if the version isn’t valid anymore; 409 */
export async function restoreActionV3(
  services: Stored,
  appId: number,
  id: string,
  version: number,
  seen: number | undefined,
): Promise<ActionRow> {
  const { row } = await findActionV3(services.db, appId, { text: id, by: 'id' }, 'preview');
  requireRevision(row, seen);
  const content = contentOf(await findVersion(services.db, row, version));
  await requireValid(services, content);
  return storeCopy(services, row, copyOf(content), { change: 'restore', restored: version });
}

/** @throws HttpError 404; 409 `ACTION_NOT_V3` */
export async function removeActionV3({ db }: Pick<Stored, 'db'>, appId: number, id: string): Promise<void> {
  await deleteRow(db, (await findActionV3(db, appId, { text: id, by: 'id' }, 'preview')).row);
}

/** @throws HttpError 404; 409 `ACTION_NOT_V3`, `APP_NOT_PUBLISHED`, `CONFLICT`, `NAME_TAKEN` */
export async function publishActionV3(
  services: Stored,
  app: Pick<AppRow, 'id' | 'name' | 'version'>,
  id: string,
  publish: boolean,
  seen: number | undefined,
): Promise<ActionRow> {
  const { row } = await findActionV3(services.db, app.id, { text: id, by: 'id' }, 'preview');
  if (publish && app.version === null)
    throw conflict('APP_NOT_PUBLISHED', `The app ${app.name} has no live version yet.`);
  requireRevision(row, seen);
  return storePublished(services, row, publish);
}

/** The content of a version. @throws HttpError 404 `VERSION_NOT_FOUND` */
export async function findVersion(db: Stored['db'], row: ActionRow, version: number): Promise<CopyV3> {
  const found = await findRevision(db, row, version).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    throw new HttpError(404, 'VERSION_NOT_FOUND', `Version ${version} of the action ${row.name} isn’t stored.`);
  });
  return found.action as CopyV3;
}

/** @throws HttpError in a live app: 404; 409 `ACTION_NOT_V3`, `CANNOT_UPDATE_PRODUCTION`, `CANNOT_DELETE_PRODUCTION` */
export async function requireMaster(
  { db }: Pick<Stored, 'db'>,
  appId: number,
  id: string,
  mode: Mode | null,
  change: 'update' | 'delete',
): Promise<void> {
  if (mode !== 'live') return;
  await findActionV3(db, appId, { text: id, by: 'id' }, mode);
  if (change === 'update')
    throw conflict('CANNOT_UPDATE_PRODUCTION', 'A live app has production copies, which can’t be changed.');
  throw conflict('CANNOT_DELETE_PRODUCTION', 'A live app has production copies, which can’t be removed.');
}

const copyOf = (content: ActionV3Content): CopyV3 => {
  const { code, description = null, dependencies = [], ...others } = content;
  return { ...others, functions: [], pageId: null, actionVersion: 'v3', code, description, dependencies };
};

/** Without what the change doesn’t have. `contentOf` drops what only the platform sets. */
const defined = (change: object): Partial<ActionV3Content> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** @throws HttpError 422 with all problems */
async function requireValid({ catalogue }: Stored, content: ActionV3Content): Promise<void> {
  const problems = actionV3Problems(content);
  const packages = content.dependencies.length > 0 ? await catalogue() : new Map();
  content.dependencies.forEach((name, index) => {
    if (Object.hasOwn(V3_PACKAGES, name) || packages.has(name)) return;
    const message = `The platform has no package ${JSON.stringify(name.slice(0, 80))}.`;
    problems.push({ code: 'DEPENDENCIES_INVALID', path: `/dependencies/${index}`, message });
  });
  if (problems.length > 0) throw invalidV3(problems);
}
