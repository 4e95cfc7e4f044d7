/** Owns the time by which an app's sessions are judged. */
import type { Send } from '../../messaging/protocol.ts';

/** Epoch milliseconds: on an installation with a virtual clock its time, else this machine's. */
export async function platformTime(
  send: Send,
  environmentId: string,
  now: () => number,
  signal: AbortSignal,
): Promise<number> {
  const answer = await send('clock.get', { environmentId }, signal);
  return answer.ok && answer.value.virtual ? Date.parse(answer.value.now) : now();
}
