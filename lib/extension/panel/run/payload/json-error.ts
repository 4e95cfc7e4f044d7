/** Finds where a text stops being JSON. Engines word it differently, and some don’t say where. */

/** Offset in UTF-16 units; line and column count from 1. */
export interface JsonError {
  offset: number;
  line: number;
  column: number;
  /** What may follow there. */
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

/** The first error in `text`; null when it is JSON. Doesn't recurse, so any depth works. */
export function findJsonError(text: string): JsonError | null {
  const open: ('{' | '[')[] = [];
  let state: keyof typeof EXPECTED = 'value';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    const mark = token?.[1];
    const inside = open.at(-1);
    if (!token)
      return state === 'end' && blankFrom(text, at) === text.length ? null : errorAt(text, blankFrom(text, at), state);
    const isValue = state === 'value' || state === 'value-or-end';
    const closes =
      mark === ']'
        ? inside === '[' && (state === 'value-or-end' || state === 'comma-or-end')
        : mark === '}'
          ? inside === '{' && (state === 'key-or-end' || state === 'comma-or-end')
          : false;
    if (closes) {
      open.pop();
      state = open.length > 0 ? 'comma-or-end' : 'end';
    } else if (isValue && (mark === '{' || mark === '[')) {
      open.push(mark);
      state = mark === '{' ? 'key-or-end' : 'value-or-end';
    } else if (isValue && mark === undefined) {
      state = open.length > 0 ? 'comma-or-end' : 'end';
    } else if ((state === 'key' || state === 'key-or-end') && token[2] !== undefined) {
      state = 'colon';
    } else if (state === 'colon' && mark === ':') {
      state = 'value';
    } else if (state === 'comma-or-end' && mark === ',') {
      state = inside === '{' ? 'key' : 'value';
    } else {
      return errorAt(text, blankFrom(text, at), state);
    }
    at = TOKEN.lastIndex;
  }
}

function blankFrom(text: string, at: number): number {
  BLANK.lastIndex = at;
  BLANK.exec(text);
  return BLANK.lastIndex;
}

function errorAt(text: string, offset: number, state: keyof typeof EXPECTED): JsonError {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { offset, line, column: offset - before.lastIndexOf('\n'), expected: EXPECTED[state] };
}
