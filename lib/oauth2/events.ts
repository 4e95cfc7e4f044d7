/** Manages a service’s event handlers, and fires its events. */
import { type OAuth2Error, fail } from './errors.ts';
import { type RecordFlow, callAll } from './flow.ts';
import type { AuthEventName, AuthEvents } from './types.ts';

export class AuthEventEmitter {
  readonly #service: string;
  readonly #record: RecordFlow;
  readonly #handlers = new Map<string, Set<(detail: never) => void>>([
    ['auth.login', new Set()],
    ['auth.fail', new Set()],
    ['auth.logout', new Set()],
  ]);

  constructor(service: string, record: RecordFlow) {
    this.#service = service;
    this.#record = record;
  }

  on<E extends AuthEventName>(name: E, fn: (detail: AuthEvents[E]) => void): null {
    this.#handlersOf(name).add(fn);
    return null;
  }

  off<E extends AuthEventName>(name: E, fn?: (detail: AuthEvents[E]) => void): null {
    if (fn) this.#handlersOf(name).delete(fn);
    else this.#handlersOf(name).clear();
    return null;
  }

  fire<E extends AuthEventName>(name: E, detail: AuthEvents[E]): void {
    const code = (detail as Partial<OAuth2Error> | undefined)?.code ?? null;
    this.#record(this.#service, { kind: 'event', name, code });
    callAll(this.#handlersOf(name), detail as never);
  }

  #handlersOf(name: string): Set<(detail: never) => void> {
    const handlers = this.#handlers.get(name);
    return (
      handlers ?? fail('ARGUMENT_INVALID', this.#service, 'the event must be auth.login, auth.fail, or auth.logout')
    );
  }
}
