/** Parses requests: IDs, paging, and JSON bodies, each validated once against a schema. */
import type { Context } from 'hono';
import * as v from 'valibot';
import { isDeeperThan, JSON_DEPTH } from '../../platform-api/index.ts';
import { absent, HttpError, invalid, malformed } from './errors.ts';
import { explain, SILENT } from './issues.ts';

const MAX_ID = 2 ** 31 - 1;

/** Parses an ID in the path. Anything but an integer is a 404, since no resource can have it as an ID. */
export function idParam(c: Context, name: string, what: string): number {
  const text = c.req.param(name) ?? '';
  const id = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (!(id <= MAX_ID)) throw absent(`${what} ${JSON.stringify(text.slice(0, 40))}`);
  return id;
}

export interface Paging {
  /** undefined: no limit. */
  limit: number | undefined;
  offset: number;
}

export function paging(c: Context): Paging {
  return { limit: count(c, 'limit'), offset: count(c, 'offset') ?? 0 };
}

function count(c: Context, name: string): number | undefined {
  const text = c.req.query(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw invalid([{ path: `/${name}`, message: `${name} must be a non-negative integer.` }]);
  return Number(text);
}

/** @throws HttpError 415, 400, 422 */
export async function readJson<S extends v.GenericSchema>(c: Context, schema: S): Promise<v.InferOutput<S>> {
  const type = (c.req.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new HttpError(415, 'NOT_JSON', 'The body wasn’t sent as JSON.');
  }
  let value: unknown;
  try {
    value = parseJson(await c.req.text());
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw malformed(`The body isn’t valid JSON: ${(error as Error).message}.`);
  }
  return check(schema, value);
}

/** @throws HttpError 422 */
export function check<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value, { ...SILENT, abortPipeEarly: true });
  if (parsed.success) return parsed.output;
  throw invalid(explain(schema, parsed.issues));
}

/** Parses a query parameter’s JSON. Returns undefined if the parameter is absent. @throws HttpError 422 */
export function queryJson(c: Context, name: string): unknown {
  const text = c.req.query(name);
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw invalid([{ path: `/${name}`, message: `${name} must be JSON.` }]);
  }
}

/** Parses JSON of limited depth. Refuses strings that Postgres can’t store. @throws SyntaxError; HttpError 400, 422 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeperThan(value, JSON_DEPTH))
    throw malformed(`JSON is limited to ${JSON_DEPTH} levels of nesting.`, 'Send JSON with fewer levels.');
  requireStorableIn(value);
  return value;
}

function requireStorableIn(value: unknown): void {
  if (typeof value === 'string') requireStorable(value);
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) Object.keys(value).forEach(requireStorable);
  Object.values(value).forEach(requireStorableIn);
}

function requireStorable(text: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  throw invalid([{ path: '', message: 'Strings must not contain NUL characters or unpaired surrogates.' }]);
}
