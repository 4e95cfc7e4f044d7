/** Finds the context values that a condition reads. */
import type { RemoteValue } from '../../inspector/contract.ts';
import { entriesOf, isComposite, sizeOf, UNDEFINED } from '../shared/remote-value.ts';

/** A name or path as the condition has it, and its value. */
export type ConditionValue = [name: string, value: RemoteValue];

/** Strings are matched so that no names are found in them. */
const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[\p{L}_$][\p{L}\p{N}_$]*(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|\[\d+\])*/gu;
/** More would hide the reason that they explain. */
const MAX_VALUES = 8;

/** Only values that are certain: the context has the first name, and everything on the path was transferred. */
export function conditionValues(condition: string, context: RemoteValue): ConditionValue[] {
  const values = new Map<string, RemoteValue>();
  for (const { 0: token, index } of condition.matchAll(TOKEN)) {
    if (/^["'`]/.test(token) || /[.\w$]$/.test(condition.slice(0, index))) continue;
    const isCall = /^\s*(?:\?\.)?\(/.test(condition.slice(index + token.length));
    const name = isCall ? token.replace(/\??\.[^.]*$/, '') : token;
    if (isCall && name === token) continue;
    const value = lookUp(context, name.split(/\??\.|\[|\]/).filter(Boolean));
    if (value && values.size < MAX_VALUES) values.set(name, value);
  }
  return [...values];
}

function lookUp(context: RemoteValue, path: string[]): RemoteValue | null {
  const [first, ...rest] = path;
  const names = first === 'context' && rest.length > 0 && !entryOf(context, 'context') ? rest : path;
  let value: RemoteValue | null = entryOf(context, names[0] ?? '');
  for (const name of names.slice(1)) {
    if (!value) return null;
    const found = entryOf(value, name);
    const isAbsent = isComposite(value) && value.t === 'object' && entriesOf(value).length === sizeOf(value);
    value = found ?? (isAbsent ? UNDEFINED : null);
  }
  return value;
}

function entryOf(value: RemoteValue, name: string): RemoteValue | null {
  return isComposite(value) ? (entriesOf(value).find(([key]) => key === name)?.[1] ?? null) : null;
}
