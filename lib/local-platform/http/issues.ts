/** Turns schema issues into messages, unless the schema has its own. */
import type * as v from 'valibot';
import { issueDetails } from '../../platform-api/index.ts';
import type { Detail } from './errors.ts';

/** The parts of a schema that describe its shape. */
interface Form {
  type: string;
  entries?: Record<string, Form>;
  item?: Form;
  wrapped?: Form;
  options?: readonly unknown[];
  literal?: unknown;
}

/** Valibot options that leave the message empty unless the schema defines one. */
export const SILENT = { message: () => '' };

/** Converts issues to error details: the path, what was expected there, and what was found. */
export function explain(schema: v.GenericSchema, issues: readonly v.BaseIssue<unknown>[]): Detail[] {
  const details: v.BaseIssue<unknown>[] = [];
  // If an object was expected and an array found, there is one issue for each missing field: keep the first.
  const known = new Map<unknown, Set<string>>();
  for (const given of issues) {
    const issue = given.message ? given : (ofList(given) ?? given);
    const message = given.message || sentence(schema as unknown as Form, issue);
    const messages = known.get(issue.input) ?? new Set();
    if (messages.has(message)) continue;
    known.set(issue.input, messages.add(message));
    details.push({ ...issue, message });
  }
  return issueDetails(details);
}

/** If an array was parsed as an object, returns an issue about the array instead of one about a missing field. */
function ofList(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown> | null {
  const last = issue.path?.at(-1);
  if (typeof last?.key !== 'string' || !Array.isArray(last.input)) return null;
  const { path: _, ...rest } = issue;
  const [first, ...others] = issue.path!.slice(0, -1);
  return {
    ...rest,
    ...(first && { path: [first, ...others] }),
    input: last.input,
    expected: 'Object',
  } as v.BaseIssue<unknown>;
}

function sentence(schema: Form, issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map(({ key }) => key as string | number);
  const path =
    keys
      .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
      .join('')
      .replace(/^\./, '') || 'The body';
  const form = at(schema, keys);
  if (issue.expected === 'never') return `${path} is unknown. Remove it.`;
  if (issue.input === undefined) return form ? `${path} is missing. Add ${typeNameOf(form)}.` : `${path} is missing.`;
  return form
    ? `${path} must be ${typeNameOf(form)}, not ${found(issue.input)}.`
    : `${path} can’t be ${found(issue.input)}.`;
}

/** The schema of the value at `keys`. Null if there is more than one. */
function at(schema: Form, keys: readonly (string | number)[]): Form | null {
  let form: Form | undefined = schema;
  for (const key of keys) form = inner(form)?.entries?.[key] ?? inner(form)?.item;
  return inner(form) ?? null;
}

const inner = (form: Form | undefined): Form | undefined => (form?.wrapped ? inner(form.wrapped) : form);

const CONJUNCTION = new Intl.ListFormat('en');
const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
};

function typeNameOf(form: Form): string {
  if (form.entries) {
    const required = Object.entries(form.entries)
      .filter(([, entry]) => !entry.wrapped)
      .map(([name]) => name);
    return required.length === 0 ? 'an object' : `an object with ${CONJUNCTION.format(required)}`;
  }
  if (form.type === 'literal') return JSON.stringify(form.literal);
  if (form.type === 'picklist') return `one of ${(form.options ?? []).join(', ')}`;
  return TYPE_NAMES[form.type] ?? 'an object';
}

function found(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return TYPE_NAMES[typeof value] ?? 'an object';
}
