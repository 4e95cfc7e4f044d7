/** Owns the log of what happened to runs in the document. */
import type { AgentEventBody } from '../../contract.ts';
import { write } from '../../agent/json.ts';
import { slice, stringify } from '../../agent/pristine.ts';
import { createTextLog, type TextLog } from '../../agent/event-log.ts';

const MOST_EVENTS = 100_000;
const MOST_CHARS = 24 * 1024 * 1024;

export interface Log extends Pick<TextLog, 'read' | 'last'> {
  add(runId: string, at: number, body: AgentEventBody): void;
}

export function createLog(): Log {
  const log = createTextLog(MOST_EVENTS, MOST_CHARS);
  return {
    add(runId, at, body) {
      // A panel that is opened later asks for the run that goes on then, and for none before it.
      if (body.kind === 'run-started') log.forgetRead();
      log.add((n) => `{"n":${n},"runId":${stringify(runId)},"at":${at},${slice(write(body), 1)}`);
    },
    read: log.read,
    last: log.last,
  };
}
