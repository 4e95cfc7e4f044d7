/** Registers the worker’s message listener synchronously while the worker starts. */
import { toErrorValue } from '../../platform-api/index.ts';
import type { Handlers, MainHandlers, ReceiveRuntime, Sender } from './receive.ts';
import { receive, withoutResponse } from './receive.ts';
import type { MessageName } from './protocol.ts';
import type { Refusals } from './refusals.ts';
import type { Envelope } from './send.ts';

/** The part of `browser.runtime` needed for listening. */
export interface ListenRuntime extends ReceiveRuntime {
  onMessage: {
    addListener(listener: (message: unknown, sender: Sender, respond: (value: unknown) => void) => true): void;
  };
}

/**
 * Must be called before any `await`, or the message that started the worker is lost. `count` counts refused messages.
 */
export function listen(runtime: ListenRuntime, handlers: MainHandlers, count?: Refusals['count']): void {
  const running = new Map<unknown, AbortController>();
  const all = {
    ...handlers,
    'worker.ping': async ({ id }) => ({ isAtWork: running.has(id) }),
    'worker.cancel': async ({ id }) => {
      running.get(id)?.abort();
      return null;
    },
  } as Handlers;
  runtime.onMessage.addListener((message, sender, respond) => {
    const id = (Object(message) as Partial<Envelope>).id;
    const controller = new AbortController();
    running.set(id, controller);
    void receive(all, runtime, message, sender, count, controller.signal).then((result) => {
      running.delete(id);
      try {
        respond(result);
      } catch (error) {
        const why = `Couldn’t send the response: ${toErrorValue(error).message}`;
        respond({
          ok: false,
          error: withoutResponse((message as Envelope).name as MessageName, 'ANSWER_UNSENDABLE', why),
        });
      }
    });
    // Some browsers ignore a returned promise. Returning `true` makes every browser wait for the response.
    return true;
  });
}
