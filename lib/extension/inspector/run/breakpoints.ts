/** Sets breakpoints in page functions with the console command `debug`, and restores them after reloads. */
import type { Result } from '../../../platform-api/errors.ts';
import { type AgentConnection, literal, parsed, toResult } from '../agent-connection.ts';

type Outcome = 'done' | 'unsupported' | 'unknown';

export class Breakpoints {
  readonly #connection: AgentConnection;
  readonly #names = new Set<string>();
  /** The breakpoints that are already set in the current document. */
  readonly #applied = new Set<string>();
  #documentId: string | null = null;

  constructor(connection: AgentConnection) {
    this.#connection = connection;
  }

  /** Sets the breakpoints that a document doesn't have yet, since functions can be registered at different times. */
  async apply(documentId: string, namespace: string): Promise<void> {
    if (documentId !== this.#documentId) this.#applied.clear();
    this.#documentId = documentId;
    for (const name of this.#names) {
      if (this.#applied.has(name)) continue;
      const response = await this.#send(namespace, name, true);
      if (response.ok && response.value === 'done') this.#applied.add(name);
    }
  }

  async set(namespace: string, name: string, on: boolean): Promise<Result<null>> {
    const response = await this.#send(namespace, name, on);
    if (!response.ok) return response;
    if (response.value === 'unsupported')
      return {
        ok: false,
        error: {
          code: 'BREAK_UNSUPPORTED',
          message: 'This browser doesn’t let an extension set breakpoints.',
          hint: `Add a breakpoint to the script of ${name} yourself.`,
        },
      };
    if (response.value === 'unknown')
      return {
        ok: false,
        error: {
          code: 'FUNCTION_UNKNOWN',
          message: `Couldn’t find the function ${name} in the page.`,
          hint: 'Reload the page with tracing, or add a breakpoint to the script yourself.',
        },
      };
    if (on) this.#names.add(name);
    else this.#names.delete(name);
    this.#applied.add(name);
    return { ok: true, value: null };
  }

  #send(namespace: string, name: string, on: boolean): Promise<Result<Outcome>> {
    const command = on ? 'debug' : 'undebug';
    return toResult(async () => {
      const outcome = await this.#connection.evaluate(
        `if(typeof ${command}!=="function")return "unsupported";` +
          `const fn=agent.registeredFunction(${literal(namespace)},${literal(name)});` +
          `if(typeof fn!=="function")return "unknown";${command}(fn);return "done"`,
      );
      return parsed(outcome === 'done' || outcome === 'unsupported' || outcome === 'unknown' ? outcome : null);
    });
  }
}
