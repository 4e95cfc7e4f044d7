/** The log of login events in the document. Nothing is forgotten within its bounds, for a panel that is opened later. */
import { createEventLog, type EventLog } from '../../agent/event-log.ts';
import { write } from '../../agent/json.ts';
import { slice, stringify, wallClock } from '../../agent/pristine.ts';
import type { FlowDetail, SeenDetail } from '../contract.ts';

const MAX_EVENTS = 5_000;
const MAX_CHARS = 4 * 1024 * 1024;

export interface FlowLog extends Pick<EventLog, 'read' | 'lastSeq'> {
  /** @param service its display name @param at epoch milliseconds; now by default */
  add(service: string, detail: FlowDetail | SeenDetail, at?: number): void;
}

/** @param service as the page names it */
export type Report = (service: string, detail: FlowDetail | SeenDetail) => void;

export function createFlowLog(): FlowLog {
  const log = createEventLog(MAX_EVENTS, MAX_CHARS);
  return {
    ...log,
    add: (service, detail, at = wallClock()) =>
      log.add((n) => `{"n":${n},"at":${at},"service":${stringify(service)},${slice(write(detail), 1)}`),
  };
}
