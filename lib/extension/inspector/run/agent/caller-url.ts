/** Finds the URL of the page’s code that called the agent, such as a module, which `document.currentScript` isn’t. */
import { AGENT_SOURCE } from '../../agent-protocol.ts';
import { stackOf } from '../../agent/describe/describe-special.ts';
import { ErrorOf, indexOf, isNaN, lastIndexOf, slice, split, toNumber } from '../../agent/pristine.ts';

/** Null if the code has no URL. */
export function callerUrl(): string | null {
  const lines = split(stackOf(new ErrorOf()), '\n');
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const from = indexOf(line, 'http');
    if (from >= 0 && indexOf(line, AGENT_SOURCE) < 0) return withoutPosition(slice(line, from));
  }
  return null;
}

/** Removes what browsers add to a URL in a stack: `:line:column`, and a parenthesis. */
function withoutPosition(text: string): string {
  const closed = lastIndexOf(text, ')');
  let url = closed === text.length - 1 ? slice(text, 0, closed) : text;
  for (let i = 0; i < 2; i++) {
    const at = lastIndexOf(url, ':');
    if (at > 0 && !isNaN(toNumber(slice(url, at + 1)))) url = slice(url, 0, at);
  }
  return url;
}
