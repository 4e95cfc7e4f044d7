/** Owns the check of all that the OAuth2 agent answers: what comes out has the contract's shape, whatever went in. */
import type { ErrorValue } from '../../../platform-api/index.ts';
import {
  checked,
  count,
  errorValue,
  type Fields,
  fields,
  flag,
  list,
  MOST_NONSENSE,
  Nonsense,
  number,
  one,
  orNull,
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
  OAuth2Reading,
  PageService,
  ProbeResult,
  ServiceOption,
  ServiceSession,
} from './contract.ts';
import { EVENT_FIELDS, type Field, TOKEN_FIELDS } from './fields.ts';

const LIBRARIES = ['absent', 'not-a-function', 'throws', 'ready'] as const;
const SEEING = ['observed', 'wrapped', 'late'] as const;
const OPTION_TYPES = ['string', 'number', 'boolean', 'object', 'function', 'other'] as const;

/** The answer in the contract's shape, or null when it makes no sense. So do the others. */
export const parsePage = (value: unknown): OAuth2Page | null => checked(() => page(fields(value)));
export const parseFlowReading = (value: unknown): (OAuth2Reading & { nonsense: number }) | null =>
  checked(() => reading(fields(value)));
export const parseAct = (value: unknown): { ok: true; id: number } | { ok: false; error: ErrorValue } | null =>
  checked(() =>
    fields(value).ok === true
      ? { ok: true, id: count(fields(value).id) }
      : { ok: false, error: errorValue(fields(value).error) },
  );
export const parseAnswer = (value: unknown): { answer: ApiResponse | null } | null =>
  checked(() => ({ answer: orNull(answer, value) }));
export const parseProbed = (value: unknown): { probed: ProbeResult | 'waiting' | null } | null =>
  checked(() => ({ probed: value === 'waiting' ? value : orNull(probed, value) }));

function reading(given: Fields): OAuth2Reading & { nonsense: number } {
  const events: OAuth2Event[] = [];
  let nonsense = 0;
  for (const item of list(given.events)) {
    const read = checked(() => event(fields(item)));
    if (read) events.push(read);
    else if (++nonsense > MOST_NONSENSE) throw new Nonsense();
  }
  return {
    documentId: text(given.documentId),
    events,
    nonsense,
    last: count(given.last),
    dropped: count(given.dropped),
    mark: text(given.mark),
  };
}

function event(given: Fields): OAuth2Event {
  const kind = text(given.kind);
  if (!Object.hasOwn(EVENT_FIELDS, kind)) throw new Nonsense();
  const detail = { kind, ...picked(given, EVENT_FIELDS[kind as OAuth2Event['kind']]) };
  return { n: count(given.n), at: time(given.at), service: text(given.service), ...detail } as unknown as OAuth2Event;
}

/** One that a calendar has. */
function time(value: unknown): number {
  const at = number(value);
  if (Number.isNaN(new Date(at).getTime())) throw new Nonsense();
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
    case 'token?':
      return orNull((token) => picked(fields(token), TOKEN_FIELDS), value);
  }
}

function page(given: Fields): OAuth2Page {
  return {
    protocol: count(given.protocol),
    documentId: text(given.documentId),
    origin: text(given.origin),
    url: text(given.url),
    secure: flag(given.secure),
    library: one(LIBRARIES, given.library),
    detail: orNull(text, given.detail),
    tracing: one(SEEING, given.tracing),
    version: orNull(text, given.version),
    features: list(given.features).map(text),
    readable: flag(given.readable),
    canRefresh: flag(given.canRefresh),
    csp: list(given.csp).map(text),
    storage: one(['available', 'blocked'] as const, given.storage),
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
    type: one(OPTION_TYPES, given.type),
    value: plain(given.value),
    secret: flag(given.secret),
    masked: orNull(masked, given.masked),
    entries: orNull(options, given.entries),
  };
}

function plain(value: unknown): string | number | boolean | null {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new Nonsense();
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
  if (parsed === null) throw new Nonsense();
  return parsed;
}

function answer(value: unknown): ApiResponse {
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

function probed(value: unknown): ProbeResult {
  const given = fields(value);
  return {
    answered: flag(given.answered),
    status: orNull(number, given.status),
    date: orNull(text, given.date),
    json: orNull(remote, given.json),
    milliseconds: number(given.milliseconds),
  };
}
