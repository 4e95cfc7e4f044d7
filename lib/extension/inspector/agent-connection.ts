/** Installs the agent in the page, calls it, and parses its responses. */
import { CodedError, toErrorValue, type Result } from '../../platform-api/coded-error.ts';
import {
  AGENT_KEY,
  AGENT_PROTOCOL,
  AGENT_SOURCE,
  PAGE_LEFT,
  PANEL_FRAME,
  type AgentParts,
  type WatchingPart,
} from './agent-protocol.ts';
import type { InspectorTransport } from './transport.ts';

/** Evaluation results that stand for an error. The agent's responses are JSON, so they never start with "!". */
const NO_AGENT = '!no-agent';
const TOO_LARGE = '!too-large';
const OTHER_PAGE = '!other-page';
/** In characters. Twice the largest batch of events, and more than the largest chunk of a string takes up as JSON. */
const MAX_RESPONSE = 4 * 1024 * 1024;

export class AgentConnection {
  readonly transport: InspectorTransport;
  readonly #loadSource: () => Promise<string>;
  #source: Promise<string> | null = null;
  readonly #namespaces = new Set<string>();

  /** @param loadSource loads the source text of `page-agent.js`, and is called once */
  constructor(transport: InspectorTransport, loadSource: () => Promise<string>) {
    this.transport = transport;
    this.#loadSource = loadSource;
  }

  /** Has the agent find the namespace also if it's a `const`, `let`, or class of a script in the page. */
  useNamespace(namespace: string): void {
    if (isBindable(namespace)) this.#namespaces.add(namespace);
  }

  /**
   * Calls a method of the agent, after installing the agent if the document doesn't have it.
   * @param origin fails with `PAGE_LEFT` in a page of another one, which gets nothing of the call
   */
  call<P extends keyof AgentParts, T>(
    part: P,
    method: keyof AgentParts[P] & string,
    args: readonly unknown[],
    parse: (response: unknown) => T | null,
    origin: string | null = null,
  ): Promise<Result<T>> {
    return toResult(async () => {
      const call = [part, method, args].map(literal).join(',');
      return parsed(parse(parseJson(await this.evaluate(`return agent.call(${call})`, origin))));
    });
  }

  /**
   * Calls a method of the agent, and evaluates another expression before. Its value must have one line.
   * @throws as `evaluate` does
   */
  async callAfter<P extends keyof AgentParts>(
    expression: string,
    part: P,
    method: keyof AgentParts[P] & string,
    args: readonly unknown[],
  ): Promise<{ line: string; rest: string }> {
    const call = [part, method, args].map(literal).join(',');
    const response = await this.evaluate(`return ${expression}+"\\n"+agent.call(${call})`);
    const end = response.indexOf('\n');
    return { line: response.slice(0, end), rest: response.slice(end + 1) };
  }

  /**
   * Evaluates a function body that can use `agent` and must return a string.
   * @throws CodedError `PAGE_ANSWER_TOO_LARGE`, `PAGE_LEFT`, or any error that the transport throws
   */
  async evaluate(body: string, origin: string | null = null): Promise<string> {
    // First, because a getter of the page could read the source of its caller. No page can replace its `location`.
    const guard = origin === null ? '' : `if(this.location.origin!==${literal(origin)})return ${literal(OTHER_PAGE)};`;
    // `this` is the window, even if the page reassigns globals that refer to it, such as `self`.
    const expression =
      `(function ${PANEL_FRAME}(){${guard}const agent=this[${literal(AGENT_KEY)}];` +
      `if(!agent||agent.protocol!==${AGENT_PROTOCOL})return ${literal(NO_AGENT)};${this.#lookUps()}${measured(body)}})()`;
    const response = await this.transport.evaluate(expression);
    if (response === OTHER_PAGE) throw new CodedError(PAGE_LEFT);
    if (response !== NO_AGENT) return bounded(response);
    await this.transport.evaluate(await this.#script('return "installed"'));
    const again = await this.transport.evaluate(expression);
    if (again === OTHER_PAGE) throw new CodedError(PAGE_LEFT);
    return bounded(again);
  }

  /**
   * Reloads the page. The part starts watching before the page's first script runs.
   * Fails with `RELOAD_UNSUPPORTED`.
   */
  async reload(part: WatchingPart, namespace: string): Promise<Result<null>> {
    return toResult(async () => {
      if (!this.transport.reload)
        throw new CodedError({
          code: 'RELOAD_UNSUPPORTED',
          message: 'This browser doesn’t let an extension reload the page.',
          hint: 'Reload the page yourself.',
        });
      this.useNamespace(namespace);
      const watch = `agent.watch(${literal(part)},${literal(namespace)})`;
      this.transport.reload(await this.#script(`const agent=this[${literal(AGENT_KEY)}];${this.#lookUps()}${watch}`));
      return null;
    });
  }

  #lookUps(): string {
    return [...this.#namespaces].map((name) => `agent.setLookUp?.(${literal(name)},()=>${name});`).join('');
  }

  /** The agent's script and a statement as one expression, with the source name that DevTools lists. */
  async #script(statement: string): Promise<string> {
    this.#source ??= this.#loadSource();
    try {
      // DevTools appends code after the last line.
      return `(()=>{${await this.#source}\n;${statement}})()\n//# sourceURL=${AGENT_SOURCE}\n`;
    } catch (thrown) {
      this.#source = null;
      throw thrown;
    }
  }
}

/** Words that scripts can't declare, and the names around the panel's own code. */
const RESERVED = new Set(
  (
    'arguments async await break case catch class const continue debugger default delete do else enum eval export ' +
    'extends false finally for function if implements import in instanceof interface let new null package private ' +
    'protected public return static super switch this throw true try typeof undefined var void while with yield ' +
    `agent response ${PANEL_FRAME}`
  ).split(' '),
);

/** Whether `() => NAME` reads what a script of the page has declared. */
const isBindable = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && !RESERVED.has(name);

export async function toResult<T>(task: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await task() };
  } catch (thrown) {
    return { ok: false, error: toErrorValue(thrown) };
  }
}

/**
 * A function body that measures the response of another one with operators that the page can't override, so that a
 * response that is too large or not a string never reaches the panel.
 */
export const measured = (body: string): string =>
  `const response=(()=>{${body}})();return typeof response!=="string"?"":` +
  `response.length>${MAX_RESPONSE}?${literal(TOO_LARGE)}:response`;

/** Data as source text that can't terminate a literal, a line, or a script element. */
export function literal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u2028\u2029<]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @throws CodedError `PAGE_NONSENSE` if a parser returned null */
export function parsed<T>(value: T | null): T {
  if (value === null) throw invalidResponse();
  return value;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidResponse();
  }
}

/** The response of a measured body. @throws CodedError `PAGE_ANSWER_TOO_LARGE` */
export function bounded(response: string): string {
  if (response !== TOO_LARGE && response.length <= MAX_RESPONSE) return response;
  throw new CodedError({
    code: 'PAGE_ANSWER_TOO_LARGE',
    message: `The page’s response is limited to ${MAX_RESPONSE.toLocaleString('en')} characters. This one has more.`,
    hint: 'Reload the page. If this happens again, the page is interfering with this extension.',
  });
}

export function invalidResponse(): CodedError {
  return new CodedError({
    code: 'PAGE_NONSENSE',
    message: 'Couldn’t read the page’s response: it has an unexpected format.',
    hint: 'Reload the page. If this happens again, the page is interfering with this extension.',
  });
}
