/**
 * Remembers beside the files which action each belongs to on which platform, and what both were when they were last the
 * same.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { isLoopback } from '../../platform-api/loopback.ts';
import { isActionFile } from './files.ts';
import { changeJsonFile, type JsonFile, readJsonFile } from '../config/json-file.ts';

const Id = v.pipe(v.number(), v.integer());
const Digest = v.pipe(v.string(), v.hexadecimal());

const Entry = v.strictObject({
  /** Null until the platform has confirmed the new action. */
  id: v.nullable(Id),
  /** Of the action on the platform. Null if the platform has no revisions. */
  revision: v.nullable(Id),
  /** Of the file’s content. Null if there has been none. */
  digest: v.nullable(Digest),
  /** Of the content that the platform reports, if it isn’t the one that was sent. */
  platformDigest: v.optional(Digest),
  /** Of content whose push hasn’t been confirmed. */
  sent: v.optional(Digest),
});
/** An action as it was when its file and the platform had the same content. */
export type Entry = v.InferOutput<typeof Entry>;

/** A repository has them. A path would lead a pull elsewhere. */
const FileName = v.pipe(v.string(), v.check(isActionFile, 'A file must be a name that ends with “.json”.'));

const State = v.strictObject({
  version: v.literal(1),
  /** By base URL, app ID, and file name. */
  platforms: v.record(v.string(), v.record(v.string(), v.record(FileName, Entry))),
});
type State = v.InferOutput<typeof State>;

/** Meant to be committed, so that other clones can push. */
export const STATE_FILE = '.platform.json';
/** Of platforms on this machine, which no other clone has. */
export const LOCAL_STATE_FILE = '.platform.local.json';

export interface SyncedApp {
  /** The folder of the files. */
  folder: string;
  baseUrl: string;
  appId: number;
}

const fileOf = ({ folder, baseUrl }: SyncedApp): JsonFile<State> => ({
  path: join(folder, isLoopback(new URL(baseUrl).hostname) ? LOCAL_STATE_FILE : STATE_FILE),
  schema: State,
  code: 'SYNC_STATE_INVALID',
  empty: { version: 1, platforms: {} },
  isShared: true,
});

/** By file name. @throws CodedError `SYNC_STATE_INVALID`, `FILE_NOT_READ` */
export async function readEntries(app: SyncedApp): Promise<Map<string, Entry>> {
  const { platforms } = await readJsonFile(fileOf(app));
  return new Map(Object.entries(platforms[app.baseUrl]?.[app.appId] ?? {}));
}

/**
 * Changes the entries of some files: null removes one. Each change is on disk when this resolves.
 * @throws CodedError as `readEntries`, and `FILES_NOT_WRITTEN`
 */
export async function changeEntries(app: SyncedApp, changes: ReadonlyMap<string, Entry | null>): Promise<void> {
  if (changes.size === 0) return;
  await changeJsonFile(fileOf(app), ({ version, platforms }) => {
    const ofPlatform = platforms[app.baseUrl] ?? {};
    const entries = new Map(Object.entries(ofPlatform[app.appId] ?? {}));
    for (const [file, entry] of changes)
      if (entry) entries.set(file, entry);
      else entries.delete(file);
    // Sorted, so that two branches rarely conflict.
    const sorted = Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
    return { version, platforms: { ...platforms, [app.baseUrl]: { ...ofPlatform, [app.appId]: sorted } } };
  });
}
