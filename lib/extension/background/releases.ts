/** Lists an app’s releases with their notes, on platforms that offer them. */
import * as v from 'valibot';
import type { App, Release } from '../../platform-api/index.ts';
import { type Connection, listLogs } from '../../rest/index.ts';

const ListedRelease = v.object({ version: v.pipe(v.number(), v.integer()), type: v.string(), changelog: v.string() });
export type ListedRelease = v.InferOutput<typeof ListedRelease>;

const LIMIT = 50;

/** The newest releases: from the app list, or else from the log. Null if the platform has neither. */
export async function readReleases(
  connection: Connection,
  { id, releases }: Pick<App, 'id' | 'releases'>,
  timeoutMs: number,
): Promise<ListedRelease[] | null> {
  if (releases && releases.length > 0) return parsed(releases);
  const query = { where: { type: 'app.publish' }, limit: LIMIT };
  return listLogs(connection, { appId: id, query }, { timeoutMs }).then(
    ({ logs }) => parsed(logs.map(({ data }) => data)),
    () => null,
  );
}

function parsed(releases: readonly unknown[]): ListedRelease[] | null {
  const result = v.safeParse(v.array(ListedRelease), releases);
  return result.success && result.output.length > 0 ? result.output : null;
}

/** Versions of the releases after `version` that have these notes, oldest first. */
export const versionsWith = (
  { type, changelog }: Release,
  releases: readonly ListedRelease[],
  version: number,
): number[] =>
  releases
    .filter((each) => each.version > version && each.type === type && each.changelog === changelog)
    .map((each) => each.version)
    .sort((a, b) => a - b);
