/** Finds the line and column where a text stops being JSON, which Node’s messages name for some mistakes only. */

export interface Place {
  line: number;
  column: number;
}

/** Null if the text is JSON. */
export function jsonProblem(text: string): Place | null {
  if (messageOf(text) === null) return null;
  // The longest start of the text that could still become JSON.
  let fine = 0;
  let broken = text.length + 1;
  while (fine + 1 < broken) {
    const middle = Math.floor((fine + broken) / 2);
    if (isStart(text.slice(0, middle))) fine = middle;
    else broken = middle;
  }
  const before = text.slice(0, fine).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** Whether the text is JSON, or ends too early. */
function isStart(text: string): boolean {
  const message = messageOf(text);
  if (message === null || /^(Unexpected end|Unterminated)/.test(message)) return true;
  const position = /at position (\d+)/.exec(message)?.[1];
  return position !== undefined && Number(position) >= text.length;
}

function messageOf(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
