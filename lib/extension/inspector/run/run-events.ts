/** Owns reading what a page still has of one run: a panel that was closed meanwhile takes it up from there. */
import type { Result } from '../../../platform-api/errors.ts';
import type { RunInspector } from './types.ts';
import type { AgentEvent } from '../contract.ts';
import { parseReading } from './parse.ts';

/** Of one reading, and readings in all: more than a page's log holds. */
const CHARS = 2_000_000;
const READINGS = 50;

/** The run's events after number `after`, oldest first; none when the document knows nothing of it, or has forgotten it. */
export async function readRunEvents(
  { call, namespace }: Pick<RunInspector, 'call' | 'namespace'>,
  runId: string,
  after: number,
): Promise<Result<AgentEvent[]>> {
  const found: AgentEvent[] = [];
  let at = after;
  for (let readings = 0; readings < READINGS; readings++) {
    const answer = await call('read', [at, CHARS, namespace()], parseReading);
    if (!answer.ok) return answer;
    const { events, last } = answer.value;
    const before = at;
    for (const event of events) {
      if (event.n <= at) continue;
      at = event.n;
      if (event.runId === runId) found.push(event);
    }
    if (at === before || at >= last || found.at(-1)?.kind === 'run-ended') break;
  }
  return { ok: true, value: found };
}
