/** The document's log of login events. Keeps events that have been read, for a panel that is opened later. */
import { createEventLog, type EventLog } from '../../agent/event-log.ts';
import { write } from '../../agent/json.ts';
import { slice, stringify, wallClock } from '../../agent/pristine.ts';
import type { FlowDetail, SeenDetail } from '../contract.ts';

const MAX_EVENTS = 5_000;
const MAX_CHARS = 4 * 1024 * 1024;

export interface FlowLog extends Pick<EventLog, 'read' | 'lastSeq'> {
  /**
   * @param service the service's display name
   * @param at epoch milliseconds; the current time by default
   */
  add(service: string, detail: FlowDetail | SeenDetail, at?: number): void;
}

/** @param service the service's name in the page */
export type Report = (service: string, detail: FlowDetail | SeenDetail) => void;

export function createFlowLog(): FlowLog {
  const log = createEventLog(MAX_EVENTS, MAX_CHARS);
  return {
    ...log,
    add: (service, detail, at = wallClock()) =>
      log.add((n) => `{"n":${n},"at":${at},"service":${stringify(service)},${slice(write(detail), 1)}`),
  };
}
