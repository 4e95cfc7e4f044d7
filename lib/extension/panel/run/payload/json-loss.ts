/** Finds where `JSON.parse` silently gives something else than valid JSON text says. */
import { positionAt, type TextPosition } from './json-error.ts';

export type JsonLoss =
  /** `at` is the last occurrence, and `sent` is its value's source text. */
  | { kind: 'duplicate-name'; name: string; first: TextPosition; at: TextPosition; sent: string }
  /** `sent` is the parsed number as JSON. */
  | { kind: 'changed-number'; number: string; at: TextPosition; sent: string };

// A group per character would exceed the stack in long strings.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** An object that isn't closed yet: where each name first occurs, and the last name that occurs again. */
interface OpenObject {
  names: Map<string, number>;
  duplicate: { name: string; first: number; last: number } | null;
}

/** The first loss in `text`, which must be valid JSON or blank. */
export function findJsonLoss(text: string): JsonLoss | null {
  /** Null stands for an array. */
  const open: (OpenObject | null)[] = [];
  let isName = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const object = open.at(-1) ?? null;
    if (token === '{') open.push({ names: new Map(), duplicate: null });
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') {
      if (object?.duplicate) return duplicateName(text, object.duplicate);
      open.pop();
    } else if (object && isName) addName(object, JSON.parse(token) as string, index);
    else if (isChanged(token))
      return {
        kind: 'changed-number',
        number: token,
        at: positionAt(text, index),
        sent: JSON.stringify(Number(token)),
      };
    isName = token === '{' || (token === ',' && object !== null);
  }
  return null;
}

function addName(object: OpenObject, name: string, index: number): void {
  const first = object.names.get(name);
  if (first === undefined) object.names.set(name, index);
  else if (!object.duplicate || object.duplicate.name === name) object.duplicate = { name, first, last: index };
}

function duplicateName(text: string, { name, first, last }: NonNullable<OpenObject['duplicate']>): JsonLoss {
  return {
    kind: 'duplicate-name',
    name,
    first: positionAt(text, first),
    at: positionAt(text, last),
    sent: valueAfter(text, last),
  };
}

/** The source text of a member's value. `from` is the offset of its name. */
function valueAfter(text: string, from: number): string {
  let depth = 0;
  let start: number | null = null;
  let isColonSeen = false;
  for (const { 0: token, index } of text.slice(from).matchAll(TOKEN)) {
    if (!isColonSeen) {
      isColonSeen = token === ':';
      continue;
    }
    start ??= index;
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (depth === 0) return text.slice(from + start, from + index + token.length);
  }
  return '';
}

/** Whether JavaScript can't represent this number: an integer that gets rounded, or one that becomes infinite. */
function isChanged(token: string): boolean {
  if (!/^-?\d/.test(token)) return false;
  const value = Number(token);
  if (!Number.isFinite(value)) return true;
  // Serializing rounds, too: 2 ** 60 is sent as the text that's expected here.
  return /^-?\d+$/.test(token) && BigInt(token) !== BigInt(value) && JSON.stringify(value) !== token;
}
