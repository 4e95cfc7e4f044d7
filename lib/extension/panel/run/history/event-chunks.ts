/** Packs a run's events for the database: their compact form as JSON text, in compressed chunks. The store knows nothing else about events. */
import { gunzip, gzip } from '../../../../shared/gzip.ts';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { parseEvents } from '../../../inspector/run/parse.ts';
import { createEventWriter } from '../../../inspector/run/write-events.ts';
import { createPauses } from '../../shared/pauses.ts';

export interface EventChunk {
  /** Sequence number of the chunk's first event. */
  first: number;
  /** Number of steps that start in this chunk. */
  steps: number;
  /** The run's start or end, which is stored even if the steps aren't. */
  isEdge: boolean;
  /** Characters before compression. */
  characters: number;
  data: Uint8Array<ArrayBuffer>;
}

/** Characters per chunk, before compression. */
const CHUNK = 500_000;

const isEdge = ({ kind }: AgentEvent): boolean => kind === 'run-started' || kind === 'run-ended';

export async function packEvents(events: readonly AgentEvent[]): Promise<EventChunk[]> {
  const chunks: Promise<EventChunk>[] = [];
  let waiting: AgentEvent[] = [];
  let texts: string[] = [];
  let characters = 0;
  // Each chunk can be read without the others.
  let compact = createEventWriter();
  const flush = (): void => {
    if (waiting.length > 0) chunks.push(pack(waiting, `[${texts.join()}]`));
    [waiting, texts, characters, compact] = [[], [], 0, createEventWriter()];
  };
  const pauses = createPauses(true);
  for (const event of events) {
    const pause = pauses.pauseIfDue();
    if (pause) await pause;
    if (isEdge(event)) flush();
    const text = JSON.stringify(compact(event));
    waiting.push(event);
    texts.push(text);
    characters += text.length;
    if (isEdge(event) || characters >= CHUNK) flush();
  }
  flush();
  return Promise.all(chunks);
}

async function pack(events: readonly AgentEvent[], text: string): Promise<EventChunk> {
  return {
    first: (events[0] as AgentEvent).n,
    steps: events.filter(({ kind }) => kind === 'step-started').length,
    isEdge: isEdge(events[0] as AgentEvent),
    characters: text.length,
    data: await gzip(text),
  };
}

/** Reads a stored chunk. Earlier versions stored text, or an array of events. Undefined if any event is damaged. */
export async function unpackEvents(runId: string, stored: unknown): Promise<AgentEvent[] | undefined> {
  try {
    const text = stored instanceof Uint8Array ? await gunzip(stored as Uint8Array<ArrayBuffer>) : stored;
    const parsed = parseEvents(typeof text === 'string' ? JSON.parse(text) : text, runId);
    return parsed?.invalid === 0 ? parsed.events : undefined;
  } catch {
    return undefined;
  }
}

/** The events that stay when a run's steps are removed to save space. */
export const withoutSteps = (events: readonly AgentEvent[]): AgentEvent[] => events.filter(isEdge);
