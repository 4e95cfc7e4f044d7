/** Reads a run's remaining events from the page, so that a reopened panel can resume a run in progress. */
import type { Result } from '../../../platform-api/errors.ts';
import type { AgentEvent } from '../contract.ts';
import { parseBatch } from './parse.ts';
import type { RunInspector } from './types.ts';

/** Maximum characters per batch, and maximum number of batches. Together, they're more than a page's log can hold. */
const BATCH = 2_000_000;
const MAX_BATCHES = 50;

/**
 * The run's events after a sequence number, oldest first. Empty if the document doesn't know the run or has dropped it.
 */
export async function readRunEvents(
  inspector: Pick<RunInspector, 'call' | 'namespace'>,
  runId: string,
  after: number,
): Promise<Result<AgentEvent[]>> {
  const found: AgentEvent[] = [];
  let lastSeq = after;
  for (let batches = 0; batches < MAX_BATCHES; batches++) {
    const response = await inspector.call('read', [lastSeq, BATCH, inspector.namespace()], parseBatch);
    if (!response.ok) return response;
    const previousSeq = lastSeq;
    for (const event of response.value.events) {
      if (event.n <= lastSeq) continue;
      lastSeq = event.n;
      if (event.runId === runId) found.push(event);
    }
    if (lastSeq === previousSeq || lastSeq >= response.value.lastSeq || found.at(-1)?.kind === 'run-ended') break;
  }
  return { ok: true, value: found };
}
