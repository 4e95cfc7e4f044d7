/** Registers the worker’s message listener, synchronously while the worker starts. */
import type { ErrorValue } from '../../platform-api/index.ts';
import { toErrorValue } from '../../platform-api/index.ts';
import type { Handlers, ReceiveRuntime, Sender } from './receive.ts';
import { receive } from './receive.ts';
import type { Refusals } from './refusals.ts';
import type { Envelope } from './send.ts';

/** The part of `browser.runtime` that listening needs. */
export interface ListenRuntime extends ReceiveRuntime {
  onMessage: {
    addListener(listener: (message: unknown, sender: Sender, answer: (value: unknown) => void) => true): void;
  };
}

/** Registers the one listener; `count` is told of each message that is refused. Call it before any `await`, or a message that started the worker is lost. */
export function listen(
  runtime: ListenRuntime,
  handlers: Omit<Handlers, `worker.${string}`>,
  count?: Refusals['count'],
): void {
  const atWork = new Map<unknown, AbortController>();
  const all = {
    ...handlers,
    'worker.ping': async ({ id }) => ({ isAtWork: atWork.has(id) }),
    'worker.cancel': async ({ id }) => {
      atWork.get(id)?.abort();
      return null;
    },
  } as Handlers;
  runtime.onMessage.addListener((message, sender, answer) => {
    const id = (Object(message) as Partial<Envelope>).id;
    const mine = new AbortController();
    atWork.set(id, mine);
    void receive(all, runtime, message, sender, count, mine.signal).then((result) => {
      atWork.delete(id);
      try {
        answer(result);
      } catch (error) {
        answer({ ok: false, error: unsendable(toErrorValue(error)) });
      }
    });
    // A returned Promise is not understood everywhere; `true` keeps the answer open in every browser.
    return true;
  });
}

function unsendable(error: ErrorValue): ErrorValue {
  return {
    code: 'ANSWER_UNSENDABLE',
    message: `The answer cannot be handed over: ${error.message}`,
    hint: 'Ask for less at a time.',
  };
}
