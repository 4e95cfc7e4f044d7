/** Owns the panel's door to an agent in the page: installing its script, calling it, and reading its answers. */
import { CodedError, toErrorValue, type Result } from '../../platform-api/coded-error.ts';
import type { Evaluate } from './run/types.ts';

/** What expressions answer in place of an agent's answer. No agent's answer, being JSON, starts like this. */
const NO_AGENT = '!no-agent';
const TOO_LARGE = '!too-large';
/** Characters of one answer: twice the longest reading that is asked for, and more than the longest piece of a text has in JSON. */
const LONGEST_ANSWER = 4 * 1024 * 1024;

export interface DoorOptions {
  evaluate: Evaluate;
  /** The text of the agent's script, asked for once. */
  source: () => Promise<string>;
  /** Where in the window the agent stands, the protocol that it must speak, and the name under which DevTools lists its script. */
  key: string;
  protocol: number;
  name: string;
}

export interface Door {
  /** Calls a method of the agent; installs it once when the document turns out to have none. */
  call<T>(method: string, args: readonly unknown[], parse: (answer: unknown) => T | null): Promise<Result<T>>;
  /** Evaluates a function body that sees `agent` and answers a text. @throws CodedError `PAGE_ANSWER_TOO_LARGE` */
  ask(body: string): Promise<string>;
  /** The agent's script as one statement, with something to do behind it. */
  script(after: string): Promise<string>;
}

export function createDoor({ evaluate, source, key, protocol, name }: DoorOptions): Door {
  let text: Promise<string> | null = null;

  /** With the name under which DevTools lists it; DevTools puts code of its own behind the last line. */
  async function script(after: string): Promise<string> {
    text ??= source();
    try {
      return `(()=>{${await text}\n;${after}})()\n//# sourceURL=${name}\n`;
    } catch (thrown) {
      text = null;
      throw thrown;
    }
  }
  /**
   * `this` is the window, whatever the page renamed. An answer is measured where it is made, by operators alone, which no page can
   * change: what is too large, or no text, does not even cross to the panel.
   */
  async function ask(body: string): Promise<string> {
    const measured = `const answer=(()=>{${body}})();return typeof answer!=="string"?"":answer.length>${LONGEST_ANSWER}?${literal(TOO_LARGE)}:answer`;
    const expression = `(()=>{const agent=this[${literal(key)}];if(!agent||agent.protocol!==${protocol})return ${literal(NO_AGENT)};${measured}})()`;
    const answer = await evaluate(expression);
    if (answer !== NO_AGENT) return bounded(answer);
    await evaluate(await script('return "installed"'));
    return bounded(await evaluate(expression));
  }

  return {
    script,
    ask,
    call: (method, args, parse) =>
      asked(async () => {
        const parsed = parse(parseJson(await ask(`return agent.call(${literal(method)},${literal(args)})`)));
        if (parsed === null) throw senseless();
        return parsed;
      }),
  };
}

export async function asked<T>(run: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (thrown) {
    return { ok: false, error: toErrorValue(thrown) };
  }
}

/** Data as source text: nothing in it can end the literal, the line or a script element. */
export function literal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u2028\u2029<]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function bounded(answer: string): string {
  if (answer !== TOO_LARGE && answer.length <= LONGEST_ANSWER) return answer;
  throw new CodedError({
    code: 'PAGE_ANSWER_TOO_LARGE',
    message: `The page answered more than the ${LONGEST_ANSWER / 1024 / 1024} million characters that are read at a time.`,
    hint: 'Reload the page; if it happens again, the page interferes with this extension.',
  });
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw senseless();
  }
}

export function senseless(): CodedError {
  return new CodedError({
    code: 'PAGE_NONSENSE',
    message: 'The page answered something that makes no sense.',
    hint: 'Reload the page; if it happens again, the page interferes with this extension.',
  });
}
