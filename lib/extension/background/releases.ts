/** Lists an app’s releases with their notes, on platforms that offer them. */
import * as v from 'valibot';
import { type App, type ErrorValue, type Release, toErrorValue } from '../../platform-api/index.ts';
import { type Connection, ENDPOINT_MISSING, listLogs } from '../../rest/index.ts';

const ListedRelease = v.object({ version: v.pipe(v.number(), v.integer()), type: v.string(), changelog: v.string() });
export type ListedRelease = v.InferOutput<typeof ListedRelease>;

/** The newest releases that could be read, or why the log couldn’t be. Both are empty if the platform lists none. */
export interface Releases {
  listed: readonly ListedRelease[];
  error: ErrorValue | null;
}
export const NO_RELEASES: Releases = { listed: [], error: null };

const LIMIT = 50;

/** The newest releases: from the app list, or else from the log. */
export async function readReleases(
  connection: Connection,
  { id, releases }: Pick<App, 'id' | 'releases'>,
  timeoutMs: number,
): Promise<Releases> {
  if (releases && releases.length > 0) return { listed: readable(releases), error: null };
  const query = { where: { type: 'app.publish' }, limit: LIMIT };
  return listLogs(connection, { appId: id, query }, { timeoutMs }).then(
    ({ logs }) => ({ listed: readable(logs.map(({ data }) => data)), error: null }),
    (thrown: unknown) => {
      const error = toErrorValue(thrown);
      return error.code === ENDPOINT_MISSING ? NO_RELEASES : { listed: [], error };
    },
  );
}

const readable = (releases: readonly unknown[]): ListedRelease[] =>
  releases.filter((release) => v.is(ListedRelease, release));

/**
 * Versions of the releases after `before` that have these notes, oldest first. Null if that is unknown because not all
 * releases up to `version` are listed: a list can be partial, and a log can lag behind the app.
 */
export function versionsWith(
  { type, changelog }: Release,
  releases: readonly ListedRelease[],
  before: number,
  version: number,
): number[] | null {
  const newer = releases.filter((each) => each.version > before);
  const isComplete = new Set(newer.map((each) => each.version)).size >= version - before;
  const found = newer.filter((each) => each.type === type && normalize(each.changelog) === normalize(changelog));
  return isComplete || found.length > 1 ? found.map((each) => each.version).toSorted((a, b) => a - b) : null;
}

/** Platforms may store line breaks and surrounding spaces differently. */
const normalize = (changelog: string): string => changelog.replaceAll('\r\n', '\n').trim();
