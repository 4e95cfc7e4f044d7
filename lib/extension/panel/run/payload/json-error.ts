/** Finds where text stops being valid JSON. Engines word this error differently, and some omit the position. */

/** The offset is in UTF-16 code units. Line and column start at 1. */
export interface TextPosition {
  offset: number;
  line: number;
  column: number;
}

export interface JsonError extends TextPosition {
  /** What's expected at that point. */
  expected: string;
}

const TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y;
const BLANK = /[ \t\n\r]*/y;

const EXPECTED = {
  value: 'a value',
  'value-or-end': 'a value or “]”',
  key: 'a name in double quotes',
  'key-or-end': 'a name in double quotes or “}”',
  colon: 'a colon',
  'comma-or-end': 'a comma or the closing bracket',
  end: 'the end of the text',
};

type State = keyof typeof EXPECTED;

/** The first error in `text`; null if it's valid JSON. Doesn't recurse, so any nesting depth works. */
export function findJsonError(text: string): JsonError | null {
  const closing: ('}' | ']')[] = [];
  let state: State = 'value';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    const next: State | null = token && nextState(state, token[1] ?? (token[2] === undefined ? '0' : '"'), closing);
    if (!next) {
      const end = blankFrom(text, at);
      return !token && state === 'end' && end === text.length ? null : errorAt(text, end, state);
    }
    state = next;
    at = TOKEN.lastIndex;
  }
}

/** Allowed next tokens, by first character: `"` stands for any string, `0` for any number or word. */
const ALLOWED: Record<State, string> = {
  value: '{["0',
  'value-or-end': '{["0]',
  key: '"',
  'key-or-end': '"}',
  colon: ':',
  'comma-or-end': ',',
  end: '',
};

/**
 * The state after a token; null if the token isn't allowed there. `closing` is the stack of closing brackets still
 * expected.
 */
function nextState(state: State, token: string, closing: ('}' | ']')[]): State | null {
  const closesPart = state === 'comma-or-end' && token === closing.at(-1);
  if (!closesPart && !ALLOWED[state].includes(token)) return null;
  switch (token) {
    case '{':
      closing.push('}');
      return 'key-or-end';
    case '[':
      closing.push(']');
      return 'value-or-end';
    case ',':
      return closing.at(-1) === '}' ? 'key' : 'value';
    case ':':
      return 'value';
    case '}':
    case ']':
      closing.pop();
  }
  if (state === 'key' || (state === 'key-or-end' && token === '"')) return 'colon';
  return closing.length > 0 ? 'comma-or-end' : 'end';
}

function blankFrom(text: string, at: number): number {
  BLANK.lastIndex = at;
  BLANK.exec(text);
  return BLANK.lastIndex;
}

function errorAt(text: string, offset: number, state: State): JsonError {
  return { ...positionAt(text, offset), expected: EXPECTED[state] };
}

export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  return { offset, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
