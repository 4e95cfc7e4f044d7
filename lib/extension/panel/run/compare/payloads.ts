/** The payloads of two runs as values. */
import type { RemoteValue } from '../../../inspector/contract.ts';
import { describeJson } from '../../actions/described.ts';
import type { ComparedRun } from './compare-runs.ts';

/** The stored text is complete. If it isn't JSON, it's compared as text. */
function payloadOf({ record: { payload } }: ComparedRun): RemoteValue {
  try {
    return describeJson(JSON.parse(payload));
  } catch {
    return { t: 'string', v: payload, length: payload.length };
  }
}

export const payloadsOf = (before: ComparedRun, now: ComparedRun): [RemoteValue, RemoteValue] => [
  payloadOf(before),
  payloadOf(now),
];
