/** The document's log of run events. */
import { createEventLog, type EventLog } from '../../agent/event-log.ts';
import { write } from '../../agent/json.ts';
import { slice, stringify } from '../../agent/pristine.ts';
import type { AgentEventBody } from '../../contract.ts';

const MAX_EVENTS = 100_000;
const MAX_CHARS = 24 * 1024 * 1024;

export interface RunLog extends Pick<EventLog, 'read' | 'lastSeq'> {
  add(runId: string, at: number, body: AgentEventBody): void;
}

export function createRunLog(): RunLog {
  const log = createEventLog(MAX_EVENTS, MAX_CHARS);
  return {
    ...log,
    add(runId, at, body) {
      // A panel that is opened later reads only the run that is in progress then, not earlier ones.
      if (body.kind === 'run-started') log.forgetRead();
      log.add((n) => `{"n":${n},"runId":${stringify(runId)},"at":${at},${slice(write(body), 1)}`);
    },
  };
}
