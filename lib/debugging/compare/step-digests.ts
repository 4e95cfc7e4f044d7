/** Digests what steps of a recording read, changed, and returned, so that the steps of two runs can be compared. */
import type { Context } from '../../pipeline/index.ts';
import { valueAt } from '../../shared/json-pointer.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import type { Recording } from '../recording/format.ts';
import { LostValueError, type RecordedValue, readValue } from '../recording/values.ts';
import { RecordingWalk, type WalkedStep } from '../replay/walk.ts';
import { type HashBudget, hashValue } from './hash-value.ts';
import { compileVolatile, type Volatile } from './volatile.ts';

/** A hash; null for what the recording doesn’t have. */
export type Digest = number | null;

export interface StepDigest {
  /** By path: what changed before the step. */
  input: Map<string, Digest>;
  /** By path: what the step changed, without its nested steps. */
  changes: Map<string, Digest>;
  /** What a function returned. */
  value: Digest;
  /** As the pipeline has them. */
  settings: Digest;
}

export interface DigestOptions {
  /** Paths in contexts; in returned values and settings with `roots` before them. */
  ignored?: Volatile;
  roots?: { value: string; settings: string };
  /** Called often. Lets other work happen. */
  pause?: () => Promise<void> | void;
}

/** In characters. Beyond it, digests are null: steps can have large values of the context again and again. */
const MAX_SIZE = 2_000_000_000;

export async function digestSteps(
  recording: Recording,
  indexes: ReadonlySet<number>,
  { ignored = [], roots = { value: '', settings: '' }, pause }: DigestOptions = {},
): Promise<Map<number, StepDigest>> {
  const isIgnored = ignored.length > 0 ? compileVolatile(ignored) : undefined;
  const digests = new Map<number, StepDigest>();
  const budget: HashBudget = { left: MAX_SIZE };
  const of = (value: () => unknown, path: string): Digest => digestOf(value, path, isIgnored, budget);
  const paths = (context: Context, all: Iterable<string>): Map<string, Digest> =>
    new Map([...all].map((path) => [path, of(() => valueAt(context, path), path)]));
  const walk = new RecordingWalk(recording, {
    started: ({ index, recorded, definition }, context) => {
      if (!indexes.has(index)) return;
      const { settings } = Object(definition) as { settings?: unknown };
      digests.set(index, {
        input: paths(context, inputPaths(recorded)),
        changes: new Map(),
        value: of(() => readOptional(recorded.value), roots.value),
        settings: of(() => settings, roots.settings),
      });
    },
    ended: ({ index, recorded }: WalkedStep, context) => {
      const digest = digests.get(index);
      if (digest) digest.changes = paths(context, pathsOf(recorded.changes));
    },
  });
  while (walk.advance(1)) await pause?.();
  return digests;
}

function inputPaths({ late = [], iteration = [] }: WalkedStep['recorded']): Set<string> {
  const paths = new Set(late.flatMap(({ changes }) => [...pathsOf(changes)]));
  if (iteration.length > 0) paths.add('/currentItem');
  return paths;
}

const pathsOf = (changes: readonly RecordedChange[] = []): Set<string> => new Set(changes.map(([path]) => path));

export const readOptional = (value: RecordedValue | undefined): unknown =>
  value === undefined ? undefined : readValue(value);

function digestOf(
  read: () => unknown,
  path: string,
  isIgnored: ReturnType<typeof compileVolatile> | undefined,
  budget: HashBudget,
): Digest {
  try {
    return hashValue(read(), path, isIgnored, budget);
  } catch (thrown) {
    if (thrown instanceof LostValueError) return null;
    throw thrown;
  }
}

/** `map` finds where the other run has what this run has at a path. */
export function compareDigests(
  before: ReadonlyMap<string, Digest>,
  now: ReadonlyMap<string, Digest>,
  map: (path: string) => string = (path) => path,
): 'same' | 'different' | 'unknown' {
  const left = new Map([...before].map(([path, digest]) => [map(path), digest]));
  let isUnknown = false;
  for (const path of new Set([...left.keys(), ...now.keys()])) {
    const how = compareDigest(left.get(path), now.get(path));
    if (how === 'different') return how;
    isUnknown ||= how === 'unknown';
  }
  return isUnknown ? 'unknown' : 'same';
}

/** Undefined if only one run has changed it. */
export function compareDigest(before: Digest | undefined, now: Digest | undefined): 'same' | 'different' | 'unknown' {
  if (before === undefined || now === undefined) return 'different';
  return before === null || now === null ? 'unknown' : before === now ? 'same' : 'different';
}
