/** Implements `Platform.App.V3.Actions.Code`: holds the `execute` functions of V3 actions, and calls them. */
import { ONLY_CODE } from '../../platform-api/actions-v3/script.ts';
import { readPayload } from '../pipeline.ts';

export type Execute = (context: { payload: Record<string, unknown> }) => Promise<unknown>;

export interface CodeApi {
  /** Called by the script of an action’s code. */
  register(key: string, execute: Execute): void;
  /** On a debug page: calls `execute` with the JSON payload in the `payload` query parameter. */
  run(): Promise<unknown>;
}

export interface Code {
  api: CodeApi;
  /** Calls a registered function. Its context has one property, `payload`. */
  execute(payload: Record<string, unknown>, key?: string): Promise<unknown>;
}

/** @param query returns the URL’s query string */
export function createCode(query: () => string): Code {
  const registered = new Map<string, Execute>();

  async function execute(payload: Record<string, unknown>, key = ONLY_CODE): Promise<unknown> {
    const run = registered.get(key);
    if (!run) throw new Error('The action’s code isn’t loaded.');
    // The code of a run is used once.
    if (key !== ONLY_CODE) registered.delete(key);
    return run({ payload });
  }

  const api: CodeApi = {
    register(key, run) {
      registered.set(key, run);
      // For the console of a debug page.
      if (key === ONLY_CODE) Reflect.set(globalThis, 'execute', run);
    },
    run: async () => execute(readPayload(query())),
  };
  return { api, execute };
}
