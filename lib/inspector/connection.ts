/** Owns the calls from the panel to the agent: the expressions, the installation, and the parsing of answers. */
import { CodedError, toErrorValue, type Result } from '../contract/coded-error.ts';
import type { Evaluate } from './client-contract.ts';
import { AGENT_KEY, AGENT_PROTOCOL, AGENT_SOURCE, type Agent, type PageState } from './contract.ts';
import { parseState } from './guard.ts';

/** What expressions answer in place of an agent's answer. No agent's answer, being JSON, starts like this. */
const NO_AGENT = '!no-agent';
/** Characters of one answer; the longest that the agent gives, one event with thousands of changes, has less. */
const LONGEST_ANSWER = 64 * 1024 * 1024;

export interface Connection {
  /** Calls the agent; installs it once when the document turns out to have none. */
  call<M extends keyof Agent, T>(method: M, args: Parameters<Agent[M]>, parse: (answer: unknown) => T | null): Promise<Result<T>>;
  /** What the page is; its address is the browser's word and not the page's, because it chooses whose token a person uses. */
  state(namespace: string): Promise<Result<PageState>>;
  /** Makes the console's `debug` or `undebug` act on a registered function. */
  debug(namespace: string, name: string, on: boolean): Promise<Result<'done' | 'unsupported' | 'unknown'>>;
  /** The script that installs the agent and watches registrations from a page's first script on. */
  injection(namespace: string): Promise<Result<string>>;
}

export function createConnection(evaluate: Evaluate, agentSource: () => Promise<string>): Connection {
  let source: Promise<string> | null = null;

  /** The agent's script as one statement, with the name under which DevTools lists it; DevTools puts code of its own behind the last line. */
  async function script(after: string): Promise<string> {
    source ??= agentSource();
    try {
      return `(()=>{${await source}\n;${after}})()\n//# sourceURL=${AGENT_SOURCE}\n`;
    } catch (thrown) {
      source = null;
      throw thrown;
    }
  }
  async function asked<T>(run: () => Promise<T>): Promise<Result<T>> {
    try {
      return { ok: true, value: await run() };
    } catch (thrown) {
      return { ok: false, error: toErrorValue(thrown) };
    }
  }
  async function answerOf(expression: string): Promise<string> {
    const answer = await evaluate(expression);
    if (answer !== NO_AGENT) return answer;
    await evaluate(await script('return "installed"'));
    return evaluate(expression);
  }

  return {
    call: (method, args, parse) => asked(async () => {
      const answer = await answerOf(withAgent(`return agent.call(${literal(method)},${literal(args)})`));
      const parsed = parse(parseJson(answer));
      if (parsed === null) throw senseless();
      return parsed;
    }),
    state: (namespace) => asked(async () => {
      // No page can put another `location` in the place of its own, and no address has a line break.
      const answer = await answerOf(withAgent(`return location.href+"\\n"+agent.call("state",${literal([namespace])})`));
      const end = answer.indexOf('\n');
      const state = parseState(parseJson(answer.slice(end + 1)));
      if (state === null) throw senseless();
      return { ...state, url: answer.slice(0, end) };
    }),
    debug: (namespace, name, on) => asked(async () => {
      const command = on ? 'debug' : 'undebug';
      const answer = await answerOf(withAgent(
        `if(typeof ${command}!=="function")return "unsupported";` +
        `const fn=agent.registered(${literal(namespace)},${literal(name)});if(typeof fn!=="function")return "unknown";` +
        `${command}(fn);return "done"`,
      ));
      if (answer !== 'done' && answer !== 'unsupported' && answer !== 'unknown') throw senseless();
      return answer;
    }),
    injection: (namespace) => asked(() => script(`this[${literal(AGENT_KEY)}].watchRegistrations(${literal(namespace)})`)),
  };
}

/** An expression whose body sees `agent`, or that answers `NO_AGENT`; `this` is the window, whatever the page renamed. */
function withAgent(body: string): string {
  return `(()=>{const agent=this[${literal(AGENT_KEY)}];if(!agent||agent.protocol!==${AGENT_PROTOCOL})return ${literal(NO_AGENT)};${body}})()`;
}

/** Data as source text: nothing in it can end the literal, the line or a script element. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(/[\u2028\u2029<]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function parseJson(text: string): unknown {
  if (text.length > LONGEST_ANSWER) throw senseless();
  try {
    return JSON.parse(text);
  } catch {
    throw senseless();
  }
}

function senseless(): CodedError {
  return new CodedError({ code: 'PAGE_NONSENSE', message: 'The page answered something that makes no sense.', next: 'Reload the page; if it happens again, the page interferes with this extension.' });
}
