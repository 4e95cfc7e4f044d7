/** A run that no page runs: a recorded one, a replay, or what would have happened. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import { LostValueError, readValue } from '../../../../debugging/recording/values.ts';
import type { RunRecord } from '../history/run-store.ts';
import { outcomeOf } from '../history/stored-run.ts';
import { type PipelineNode, pipelineNodes } from '../pipeline-tree.ts';
import type { LoopSource, Trace } from '../trace.ts';
import { debugSubject } from '../../shell/page/page.ts';
import type { LocalValues } from './local-values.ts';

export type RunOrigin = NonNullable<RunRecord['origin']>;

/** What the panel has of the run instead of a page. */
export interface LocalRun {
  /** What the run was made from. */
  recording: Recording;
  values: LocalValues;
  nodes: readonly PipelineNode[];
}

export const ORIGINS: Record<RunOrigin, { badge: string; explanation: string }> = {
  replay: {
    badge: 'replay',
    explanation: 'The run was replayed offline. Nothing was run in a page or on a server.',
  },
  'what-if': {
    badge: 'what if',
    explanation:
      'The run was replayed with changes, on its recorded outcomes. Nothing was run in a page or on a server.',
  },
  file: {
    badge: 'from file',
    explanation: 'The run was opened from a file. Opening it ran nothing.',
  },
  server: { badge: 'from the server log', explanation: 'The platform recorded this run on its server.' },
  smallest: {
    badge: 'smallest',
    explanation:
      'A smaller payload with which the replay still fails in the same way. Nothing was run in a page or on a server.',
  },
  v3: {
    badge: 'V3 code',
    explanation:
      'The migrated code ran in the page. Its calls had their recorded outcomes. Code that goes around them isn’t stopped.',
  },
};

/** The pipeline of a recording; an empty one if it's lost. */
export function pipelineOf({ pipeline }: Recording): unknown {
  return readOr(() => readValue(pipeline), []);
}

/** A new copy of the payload. Values that are lost throw when they're read. */
export function payloadOf({ payload }: Recording): Record<string, unknown> {
  const value = readOr(() => readValue(payload), {});
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function loopsOf(nodes: readonly PipelineNode[]): (path: string) => LoopSource | null {
  const loops = new Map(nodes.map(({ path, loop }) => [path, loop]));
  return (path) => loops.get(path) ?? null;
}

export const nodesOfPipeline = (pipeline: unknown): readonly PipelineNode[] => pipelineNodes(pipeline);

/** Identifies the action that was recorded, as its debug page does. Empty if it's unknown. */
export function subjectOfRecording({ action }: Recording): string {
  const { baseUrl = '', appId, actionId } = action ?? {};
  if (!URL.canParse(baseUrl) || appId === undefined || actionId === undefined) return '';
  return debugSubject(new URL(baseUrl).origin, appId, actionId);
}

const MADE: ReadonlySet<RunOrigin | undefined> = new Set(['replay', 'what-if', 'smallest', 'v3']);

/** Whether a run was made from one that happened before. */
export const isMade = ({ origin }: Pick<RunRecord, 'origin'>): boolean => MADE.has(origin);

export interface LocalRunFacts {
  id: string;
  origin: RunOrigin | undefined;
  madeFrom?: string | undefined;
  /** Those of the run that it was made from. */
  subject?: string;
  title?: string;
}

/** The record of a local run. It isn't stored yet. A run that was made now is the newest one, whatever it replays. */
export function recordOf(recording: Recording, trace: Trace, payload: string, facts: LocalRunFacts): RunRecord {
  const { id, origin, madeFrom } = facts;
  return {
    id,
    subject: facts.subject ?? subjectOfRecording(recording),
    title: facts.title ?? titleOf(recording),
    number: 0,
    payload,
    startedAt: isMade({ origin }) ? Date.now() : trace.startedAt,
    tracing: 'observed',
    engine: recording.engine === 'ours' ? 'ours' : 'platform',
    ...outcomeOf(trace),
    size: 0,
    cut: false,
    ...(origin && { origin }),
    ...(madeFrom !== undefined && { madeFrom }),
  };
}

function titleOf({ action }: Recording): string {
  const { name, appId, actionId } = action ?? {};
  const actionText = name ?? (actionId === undefined ? 'Recorded run' : `action ${actionId}`);
  return appId === undefined ? actionText : `app ${appId} · ${actionText}`;
}

export function startOf({ startedAt }: Recording): number {
  const time = Date.parse(startedAt);
  return Number.isFinite(time) ? time : 0;
}

function readOr<T>(read: () => T, fallback: T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof LostValueError) return fallback;
    throw thrown;
  }
}
