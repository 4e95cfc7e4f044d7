/** Owns the calls from the panel to the agent of runs. */
import type { Result } from '../../../platform-api/coded-error.ts';
import type { Evaluate } from './types.ts';
import { AGENT_KEY, AGENT_PROTOCOL, AGENT_SOURCE, type Agent, type PageState } from '../contract.ts';
import { asked, createDoor, literal, parseJson, senseless } from '../agent-connection.ts';
import { parseState } from './parse.ts';

export interface Connection {
  /** Calls the agent; installs it once when the document turns out to have none. */
  call<M extends keyof Agent, T>(
    method: M,
    args: Parameters<Agent[M]>,
    parse: (answer: unknown) => T | null,
  ): Promise<Result<T>>;
  /** What the page is; its address is the browser's word and not the page's, because it chooses whose token a person uses. */
  state(namespace: string): Promise<Result<PageState>>;
  /** Makes the console's `debug` or `undebug` act on a registered function. */
  debug(namespace: string, name: string, on: boolean): Promise<Result<'done' | 'unsupported' | 'unknown'>>;
  /** The script that installs the agent and watches registrations from a page's first script on. */
  injection(namespace: string): Promise<Result<string>>;
}

export function createConnection(evaluate: Evaluate, agentSource: () => Promise<string>): Connection {
  const door = createDoor({
    evaluate,
    source: agentSource,
    key: AGENT_KEY,
    protocol: AGENT_PROTOCOL,
    name: AGENT_SOURCE,
  });
  return {
    call: door.call,
    state: (namespace) =>
      asked(async () => {
        // No page can put another `location` in the place of its own, and no address has a line break.
        const answer = await door.ask(`return location.href+"\\n"+agent.call("state",${literal([namespace])})`);
        const end = answer.indexOf('\n');
        const state = parseState(parseJson(answer.slice(end + 1)));
        if (state === null) throw senseless();
        return { ...state, url: answer.slice(0, end) };
      }),
    debug: (namespace, name, on) =>
      asked(async () => {
        const command = on ? 'debug' : 'undebug';
        const answer = await door.ask(
          `if(typeof ${command}!=="function")return "unsupported";` +
            `const fn=agent.registered(${literal(namespace)},${literal(name)});if(typeof fn!=="function")return "unknown";` +
            `${command}(fn);return "done"`,
        );
        if (answer !== 'done' && answer !== 'unsupported' && answer !== 'unknown') throw senseless();
        return answer;
      }),
    injection: (namespace) =>
      asked(() => door.script(`this[${literal(AGENT_KEY)}].watchRegistrations(${literal(namespace)})`)),
  };
}
