/** The console lines and requests of a recording, by the step during which they happened. */
import type { RecordedLine, RecordedRequest, Recording } from '../../../../debugging/recording/format.ts';
import { readValue, type RecordedValue } from '../../../../debugging/recording/values.ts';
import type { AgentEventBody, RemoteValue } from '../../../inspector/contract.ts';
import type { LocalValues } from './local-values.ts';
import type { TraceWriter } from './trace-writer.ts';

const LINE = { nodes: 100, chars: 8_000, depth: 4 };

type Entry = { line: RecordedLine } | { request: RecordedRequest };

export class RecordedLines {
  /** By the index of the step; -1 outside of steps. */
  readonly #byStep: ReadonlyMap<number, Entry[]>;
  readonly #values: LocalValues;

  constructor({ console = [], requests = [] }: Recording, values: LocalValues) {
    const entries: Entry[] = [...console.map((line) => ({ line })), ...requests.map((request) => ({ request }))];
    this.#byStep = Map.groupBy(entries, (entry) => ('line' in entry ? entry.line : entry.request).step ?? -1);
    this.#values = values;
  }

  /** @param later how much later than recorded the step happens, in milliseconds */
  writeOf(index: number, writer: TraceWriter, later: number): void {
    for (const entry of this.#byStep.get(index) ?? []) {
      const step = index < 0 ? null : writer.lastStep;
      if ('request' in entry) this.#writeRequest(entry.request, writer, step, later);
      else {
        const args = entry.line.args.map((arg) => this.#describe(arg));
        writer.add({ kind: 'console', step, level: entry.line.level, args }, entry.line.at + later);
      }
    }
  }

  #writeRequest(recorded: RecordedRequest, writer: TraceWriter, step: number | null, later: number): void {
    const { at, milliseconds, method, url, status = null, bytes = null, error } = recorded;
    const request = writer.nextRequest();
    const { headers, body, responseHeaders, responseBody } = recorded;
    writer.add({ kind: 'request-started', step, request, method, url, ...defined({ headers, body }) }, at + later);
    if (milliseconds === undefined) return;
    const response = defined({ error, headers: responseHeaders, body: responseBody });
    const ended: AgentEventBody = { kind: 'request-ended', request, status, bytes, ...response };
    writer.add(ended, at + later + milliseconds);
  }

  #describe(recorded: RecordedValue): RemoteValue {
    const lost = lostText(recorded);
    if (lost !== null) return { t: 'string', v: lost, length: lost.length };
    try {
      return this.#values.describe(readValue(recorded), LINE);
    } catch {
      return { t: 'unreadable', message: this.#values.getterText };
    }
  }
}

/** What is recorded instead of a value that isn't data, such as an error. */
function lostText(recorded: RecordedValue): string | null {
  if (typeof recorded !== 'object' || recorded === null || Array.isArray(recorded)) return null;
  const { $: kind, text } = recorded;
  return kind === 'lost' && typeof text === 'string' ? text : null;
}

const defined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
