/** Finds the context values that a condition or a setting's `{{expression}}` reads. */
import { truncate } from '../../../../shared/format.ts';
import type { RemoteValue } from '../../../inspector/contract.ts';
import { previewOf, sizeOf, UNDEFINED, valueAt } from '../../shared/remote-value.ts';

/** A name or path as the condition has it, and its value. */
export type ConditionValue = [name: string, value: RemoteValue];

/** Strings are matched so that no names are found in them. */
const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[\p{L}_$][\p{L}\p{N}_$]*(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|\[\d+\])*/gu;
/** More would hide the reason that they explain. */
const MAX_VALUES = 8;

/** Maximum characters of a value in a condition. */
const VALUE_LENGTH = 40;

/** Only values that are certain: the context has the first name, and everything on the path was transferred. */
export function conditionValues(condition: string, context: RemoteValue): ConditionValue[] {
  const values = new Map<string, RemoteValue>();
  for (const { name, value } of namesIn(condition, context))
    if (values.size < MAX_VALUES || values.has(name)) values.set(name, value);
  return [...values];
}

/** The condition with values instead of names, such as `true == true`; null if no value is certain. */
export function conditionWithValues(condition: string, context: RemoteValue, length = 200): string | null {
  let text = '';
  let end = 0;
  for (const { name, value, index } of namesIn(condition, context)) {
    text += condition.slice(end, index) + previewOf(value, VALUE_LENGTH);
    end = index + name.length;
    if (text.length > length) break;
  }
  return end === 0 ? null : truncate(text + condition.slice(end), length);
}

/** The value of an expression that is a name or a path; null if it's another expression, or isn't certain. */
export function pathValue(expression: string, context: RemoteValue): RemoteValue | null {
  const isPath = new RegExp(`^(?:${TOKEN.source})$`, 'u').test(expression) && !/^["'`]/.test(expression);
  return isPath ? lookUp(context, partsOf(expression)) : null;
}

function* namesIn(
  condition: string,
  context: RemoteValue,
): Generator<{ name: string; value: RemoteValue; index: number }> {
  for (const { 0: token, index } of condition.matchAll(TOKEN)) {
    if (/^["'`]/.test(token) || /[.\w$]$/.test(condition.slice(0, index))) continue;
    const isCall = /^\s*(?:\?\.)?\(/.test(condition.slice(index + token.length));
    const name = isCall ? token.replace(/\??\.[^.]*$/, '') : token;
    if (isCall && name === token) continue;
    const value = lookUp(context, partsOf(name));
    if (value) yield { name, value, index };
  }
}

const partsOf = (name: string): string[] => name.split(/\??\.|\[|\]/).filter(Boolean);

function lookUp(context: RemoteValue, path: string[]): RemoteValue | null {
  const [first, ...rest] = path;
  const names = first === 'context' && rest.length > 0 && !valueAt(context, ['context']) ? rest : path;
  let value = valueAt(context, [names[0] ?? '']) ?? null;
  for (const name of names.slice(1)) value = value && memberOf(value, name);
  return value;
}

function memberOf(value: RemoteValue, name: string): RemoteValue | null {
  if (value.t === 'array' && name === 'length') return { t: 'number', v: value.length };
  const className = value.t === 'object' ? value.name : undefined;
  // The entries of these aren’t properties.
  if (className === 'Map' || className === 'Set') return null;
  // A class can have properties that its objects inherit.
  const isWhole = value.t === 'object' && !className && value.entries.length === sizeOf(value);
  return valueAt(value, [name]) ?? (isWhole ? UNDEFINED : null);
}
