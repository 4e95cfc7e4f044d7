/** Reads the source text of a function that the page has registered. */
import type { Result } from '../../../platform-api/errors.ts';
import { type AgentConnection, literal, parsed, toResult } from '../agent-connection.ts';

/** Marks source text, because an empty response means that there’s none. */
const FOUND = '=';
const NATIVE = /\{\s*\[native code\]\s*\}$/;

/** Null if the page has no such function, or only one without source text. */
export function readFunctionSource(
  connection: Pick<AgentConnection, 'evaluate'>,
  namespace: string,
  name: string,
): Promise<Result<string | null>> {
  return toResult(async () => {
    const text = await connection.evaluate(
      `const fn=agent.registeredFunction(${literal(namespace)},${literal(name)});` +
        `return typeof fn==="function"?${literal(FOUND)}+Function.prototype.toString.call(fn):""`,
    );
    if (text !== '' && !text.startsWith(FOUND)) parsed(null);
    const source = text.slice(FOUND.length);
    return source === '' || NATIVE.test(source) ? null : source;
  });
}
