/** What is stored of mocks, as versioned JSON: each action’s sets and switches, and each app’s shared sets. */
import * as v from 'valibot';
import { parseMocks, writeMocks } from '../../../../debugging/mocks/mocks-file.ts';
import type { MockSet } from '../../../../debugging/mocks/types.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';

/** A set with an ID, so that it stays on when it’s renamed. */
export interface StoredSet extends MockSet {
  id: string;
}

export interface ActionMocks {
  sets: readonly StoredSet[];
  /** IDs of the sets that are on: this action’s, and shared ones. */
  on: readonly string[];
  isDryRun: boolean;
}

export interface AppMocks {
  /** Sets that all actions of the app share. */
  sets: readonly StoredSet[];
  /** Packages that *Dry run* also mocks. */
  leaving: readonly string[];
}

/** How a document is written to the store, and read from it. */
export interface DocumentKind<T> {
  /** The name under which it’s stored. */
  name: string;
  empty: T;
  write: (value: T) => string;
  read: (text: string) => Result<T>;
}

const VERSION = 1;

const Sets = { ids: v.array(v.string()), file: v.unknown() };
const StoredActionMocks = v.object({ ...Sets, on: v.array(v.string()), isDryRun: v.boolean() });
const StoredAppMocks = v.object({ ...Sets, leaving: v.array(v.string()) });

export const ACTION_MOCKS: DocumentKind<ActionMocks> = {
  name: 'mocks',
  empty: { sets: [], on: [], isDryRun: false },
  write: ({ sets, on, isDryRun }) => JSON.stringify({ version: VERSION, ...writeSets(sets), on, isDryRun }),
  read: (text) => readDocument(text, StoredActionMocks, ({ on, isDryRun }, sets) => ({ sets, on, isDryRun })),
};

export const APP_MOCKS: DocumentKind<AppMocks> = {
  name: 'shared-mocks',
  empty: { sets: [], leaving: [] },
  write: ({ sets, leaving }) => JSON.stringify({ version: VERSION, ...writeSets(sets), leaving }),
  read: (text) => readDocument(text, StoredAppMocks, ({ leaving }, sets) => ({ sets, leaving })),
};

function writeSets(sets: readonly StoredSet[]): { ids: string[]; file: unknown } {
  const plain = sets.map(({ name, mocks }): MockSet => ({ name, mocks }));
  return { ids: sets.map(({ id }) => id), file: JSON.parse(writeMocks(plain)) };
}

function readDocument<Stored extends { ids: string[]; file?: unknown }, T>(
  text: string,
  schema: v.GenericSchema<unknown, Stored>,
  build: (stored: Stored, sets: StoredSet[]) => T,
): Result<T> {
  const json = parseJson(text);
  const version = (json as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > VERSION) return { ok: false, error: NEWER };
  const stored = v.safeParse(schema, json, { abortEarly: true });
  if (!stored.success) return { ok: false, error: DAMAGED };
  const { ids, file } = stored.output;
  const sets = parseMocks(JSON.stringify(file) ?? '');
  if (!sets.ok || sets.value.length !== ids.length) return { ok: false, error: DAMAGED };
  const named = sets.value.map(({ name, mocks }, index) => ({ id: ids[index] as string, name, mocks }));
  return { ok: true, value: build(stored.output, named) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const DAMAGED: ErrorValue = {
  code: 'STORED_MOCKS_DAMAGED',
  message: 'Couldn’t read the stored mocks: they’re damaged. Nothing was removed.',
  hint: 'Save them as a file, then start with no mocks.',
};
const NEWER: ErrorValue = {
  code: 'STORED_MOCKS_NEWER',
  message: 'Couldn’t read the stored mocks: a newer version of this extension wrote them. Nothing was removed.',
  hint: 'Update the extension, or start with no mocks.',
};
