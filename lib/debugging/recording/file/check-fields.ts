/** Checks the fields of large objects, quickly: the first problem ends it. Unknown fields are removed. */
import { at, isCount, type Problem } from './check-value.ts';
import { MAX_DEPTH } from '../values.ts';

export type Form = (value: unknown) => Problem;

/** In milliseconds. No date that's within it of a valid one is beyond what `Date` can represent. */
const MAX_TIME = 1e12;

export const text: Form = (value) => (typeof value === 'string' ? null : ' must be a string');
export const count: Form = (value) => (isCount(value) ? null : ' must be an integer from 0 on');
export const number: Form = (value) => (Number.isFinite(value) ? null : ' must be a number');
export const time: Form = (value) =>
  typeof value === 'number' && Math.abs(value) <= MAX_TIME ? null : ' must be a time in milliseconds';

/** An ISO 8601 date in UTC. */
export const date: Form = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
    ? null
    : ' must be a date, such as 2026-11-01T00:00:00.000Z';

export function oneOf(values: readonly unknown[]): Form {
  const problem = ` must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format(values.map(String))}`;
  return (value) => (values.includes(value) ? null : problem);
}

/** A JSON Pointer of bounded depth. */
export const pointer: Form = (value) => {
  if (typeof value !== 'string' || (value !== '' && !value.startsWith('/'))) return ' must be a JSON Pointer';
  const isDeep = value.length > MAX_DEPTH * 2 && value.split('/', MAX_DEPTH * 2 + 2).length > MAX_DEPTH * 2 + 1;
  return isDeep ? ` has more than ${MAX_DEPTH * 2} levels` : null;
};

export function listOf(form: Form, most = Infinity): Form {
  return (value) => {
    if (!Array.isArray(value)) return ' must be an array';
    if (value.length > most) return ` must have at most ${most} items`;
    for (let index = 0; index < value.length; index++) {
      const problem = form(value[index]);
      if (problem !== null) return at(index, problem);
    }
    return null;
  };
}

/** An array of this many items at least, each with its own form. */
export function tupleOf(forms: readonly Form[], least = forms.length): Form {
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > forms.length)
      return ` must be an array of ${least === forms.length ? least : `${least} or ${forms.length}`} items`;
    for (let index = 0; index < value.length; index++) {
      const problem = forms[index]!(value[index]);
      if (problem !== null) return at(index, problem);
    }
    return null;
  };
}

/** An object with these fields. */
export function objectOf(required: Record<string, Form>, optional: Record<string, Form> = {}): Form {
  const names = Object.keys(required);
  const forms = new Map(Object.entries({ ...required, ...optional }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ' must be an object';
    const fields = value as Record<string, unknown>;
    for (const name of names) if (!Object.hasOwn(fields, name)) return at(name, ' is missing');
    for (const name of Object.keys(fields)) {
      const form = forms.get(name);
      if (!form) delete fields[name];
      else {
        const problem = form(fields[name]);
        if (problem !== null) return at(name, problem);
      }
    }
    return null;
  };
}
