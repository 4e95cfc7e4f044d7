/** Owns the log of what happens to logins in the document; all of it is kept within its bounds, for a panel that is opened later. */
import { write } from '../../agent/json.ts';
import { slice, stringify, wallClock } from '../../agent/pristine.ts';
import { createTextLog, type TextLog } from '../../agent/event-log.ts';
import type { FlowDetail, SeenDetail } from '../contract.ts';

const MOST_EVENTS = 5_000;
const MOST_CHARS = 4 * 1024 * 1024;

export interface FlowLog extends Pick<TextLog, 'read' | 'last'> {
  /** @param service as it is told @param at epoch milliseconds; now when left out */
  add(service: string, detail: FlowDetail | SeenDetail, at?: number): void;
}

export function createFlowLog(): FlowLog {
  const log = createTextLog(MOST_EVENTS, MOST_CHARS);
  return {
    add: (service, detail, at = wallClock()) =>
      log.add((n) => `{"n":${n},"at":${at},"service":${stringify(service)},${slice(write(detail), 1)}`),
    read: log.read,
    last: log.last,
  };
}
