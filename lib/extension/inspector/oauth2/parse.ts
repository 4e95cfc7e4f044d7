/** Parses data from the agent's OAuth2 part. The result always matches the contract, no matter what the page sent. */
import type { EventBatch } from '../agent-protocol.ts';
import {
  count,
  type Fields,
  fields,
  flag,
  InvalidData,
  list,
  number,
  oneOf,
  orNull,
  readBatch,
  readOrNull,
  readOutcome,
  text,
} from '../bounded-reader.ts';
import type { RemoteValue } from '../contract.ts';
import { parseRemoteValue } from '../run/parse.ts';
import type {
  ApiResponse,
  Jwt,
  Masked,
  OAuth2Event,
  OAuth2Page,
  PageService,
  ProbeResult,
  ServiceOption,
  ServiceSession,
  Started,
} from './contract.ts';
import { EVENT_FIELDS, type Field, TOKEN_FIELDS } from './fields.ts';

const LIBRARIES = ['absent', 'not-a-function', 'throws', 'ready'] as const;
const TRACING = ['observed', 'wrapped', 'late'] as const;
const OPTION_TYPES = ['string', 'number', 'boolean', 'object', 'function', 'other'] as const;

/** Null if the data is invalid, as for all functions in this file. */
export const parsePage = (value: unknown): OAuth2Page | null => readOrNull(() => page(fields(value)));

export const parseBatch = (value: unknown): (EventBatch<OAuth2Event> & { invalid: number }) | null =>
  readOrNull(() => readBatch(fields(value), (item, events) => events.push(event(fields(item)))));

export const parseStarted = (value: unknown): Started | null =>
  readOrNull(() => readOutcome(value, ({ id }) => ({ id: count(id) })));

export const parseApiResponse = (value: unknown): { response: ApiResponse | null } | null =>
  readOrNull(() => ({ response: orNull(apiResponse, value) }));

export const parseProbeResult = (value: unknown): { result: ProbeResult | 'pending' | null } | null =>
  readOrNull(() => ({ result: value === 'pending' ? value : orNull(probeResult, value) }));

function event(given: Fields): OAuth2Event {
  const kind = text(given.kind);
  if (!Object.hasOwn(EVENT_FIELDS, kind)) throw new InvalidData();
  const detail = { kind, ...picked(given, EVENT_FIELDS[kind as OAuth2Event['kind']]) };
  return { n: count(given.n), at: time(given.at), service: text(given.service), ...detail } as unknown as OAuth2Event;
}

/** A time that `Date` can represent. */
function time(value: unknown): number {
  const at = number(value);
  if (Number.isNaN(new Date(at).getTime())) throw new InvalidData();
  return at;
}

function picked(given: Fields, table: Record<string, Field>): Fields {
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, read(given[name], field)]));
}

function read(value: unknown, field: Field): unknown {
  switch (field) {
    case 'word':
    case 'text':
    case 'url':
      return text(value);
    case 'word?':
    case 'text?':
      return orNull(text, value);
    case 'flag':
      return flag(value);
    case 'flag?':
      return orNull(flag, value);
    case 'number':
      return number(value);
    case 'number?':
      return orNull(number, value);
    case 'words':
      return list(value).map(text);
    case 'lines?':
      return orNull((lines) => list(lines).map(text), value);
    case 'token?':
      return orNull((token) => picked(fields(token), TOKEN_FIELDS), value);
  }
}

function page(given: Fields): OAuth2Page {
  return {
    protocol: count(given.protocol),
    documentId: text(given.documentId),
    fingerprint: text(given.fingerprint),
    origin: text(given.origin),
    url: text(given.url),
    secure: flag(given.secure),
    library: oneOf(LIBRARIES, given.library),
    detail: orNull(text, given.detail),
    tracing: oneOf(TRACING, given.tracing),
    version: orNull(text, given.version),
    features: list(given.features).map(text),
    readable: flag(given.readable),
    canRefresh: flag(given.canRefresh),
    csp: list(given.csp).map(text),
    storage: oneOf(['available', 'blocked'] as const, given.storage),
    services: list(given.services).map(service),
    moreServices: count(given.moreServices),
  };
}

function service(value: unknown): PageService {
  const given = fields(value);
  return {
    name: text(given.name),
    options: orNull(options, given.options),
    session: orNull(session, given.session),
    sessionKnown: flag(given.sessionKnown),
    sessionProblem: orNull(text, given.sessionProblem),
  };
}

const options = (value: unknown): ServiceOption[] => list(value).map(option);

function option(value: unknown): ServiceOption {
  const given = fields(value);
  return {
    name: text(given.name),
    type: oneOf(OPTION_TYPES, given.type),
    value: plain(given.value),
    secret: flag(given.secret),
    masked: orNull(masked, given.masked),
    entries: orNull(options, given.entries),
  };
}

function plain(value: unknown): string | number | boolean | null {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new InvalidData();
}

function masked(value: unknown): Masked {
  return { masked: text(fields(value).masked), length: count(fields(value).length) };
}

function session(value: unknown): ServiceSession {
  const given = fields(value);
  return {
    tokenType: orNull(text, given.tokenType),
    expires: orNull(number, given.expires),
    expiresIn: orNull(number, given.expiresIn),
    scope: orNull(text, given.scope),
    accessToken: orNull(token, given.accessToken),
    refreshToken: orNull(masked, given.refreshToken),
    idToken: orNull(token, given.idToken),
    others: options(given.others),
  };
}

const token = (value: unknown): Masked & { jwt: Jwt | null } => ({
  ...masked(value),
  jwt: orNull(jwt, fields(value).jwt),
});

function jwt(value: unknown): Jwt {
  const given = fields(value);
  return { header: remote(given.header), claims: orNull(remote, given.claims), problem: orNull(text, given.problem) };
}

function remote(value: unknown): RemoteValue {
  const parsed = parseRemoteValue(value);
  if (parsed === null) throw new InvalidData();
  return parsed;
}

function apiResponse(value: unknown): ApiResponse {
  const given = fields(value);
  return {
    id: count(given.id),
    ok: flag(given.ok),
    status: orNull(number, given.status),
    code: orNull(text, given.code),
    message: orNull(text, given.message),
    body: orNull(remote, given.body),
    milliseconds: number(given.milliseconds),
  };
}

function probeResult(value: unknown): ProbeResult {
  const given = fields(value);
  return {
    answered: flag(given.answered),
    status: orNull(number, given.status),
    date: orNull(text, given.date),
    json: orNull(remote, given.json),
    milliseconds: number(given.milliseconds),
  };
}
