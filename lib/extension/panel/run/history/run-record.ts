/** Owns the form of a kept run and a saved payload, as they are parsed when read back from the disk or a file. */
import type { RunRecord, SavedPayload } from './run-store.ts';

type Shape<T> = { readonly [K in keyof T]-?: (value: unknown) => boolean };

const RUN: Shape<RunRecord> = {
  id: (value) => isText(value) && value !== '',
  subject: isText,
  title: isText,
  number: isNumber,
  payload: isText,
  startedAt: isNumber,
  state: (value) => ['running', 'completed', 'failed', 'stopped', 'interrupted'].includes(value as string),
  milliseconds: isNumber,
  tracing: (value) => ['observed', 'wrapped', 'bare'].includes(value as string),
  error: (value) => value === null || isText(value),
  size: isNumber,
  cut: (value) => typeof value === 'boolean',
};
const PAYLOAD: Shape<SavedPayload> = { subject: isText, name: isText, text: isText, savedAt: isNumber };

export const parseRun = (value: unknown): RunRecord | undefined => parse(RUN, value);
export const parsePayload = (value: unknown): SavedPayload | undefined => parse(PAYLOAD, value);

/** Its known fields alone; undefined when one is not as it should be. */
function parse<T>(shape: Shape<T>, value: unknown): T | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given = value as Record<string, unknown>;
  const names = Object.keys(shape) as (keyof T & string)[];
  return names.every((name) => Object.hasOwn(given, name) && shape[name](given[name]))
    ? (Object.fromEntries(names.map((name) => [name, given[name]])) as T)
    : undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
