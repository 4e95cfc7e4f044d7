/** Reconstructs logins, token requests, and API calls from the timeline, and how each of them ended. */
import type { Entry, EntryDetail } from '../types.ts';

export type Of<K extends EntryDetail['kind']> = Entry & { detail: Extract<EntryDetail, { kind: K }> };

/** A token request and its response. */
export interface Exchange {
  request: Of<'token-requested'> | null;
  response: Of<'token-answered'>;
}

export interface Login {
  started: Of<'login-started'>;
  popup: Of<'popup'>[];
  callback: Of<'callback'> | null;
  stateChecked: Of<'state-checked'> | null;
  exchange: Exchange | null;
  /** `left`: the page navigated before the login ended. */
  outcome: 'open' | 'succeeded' | 'failed' | 'left';
  /** The library's error code, and the login's last entry. */
  code: string | null;
  last: Entry;
}

export interface Call {
  started: Of<'api-started'>;
  ended: Of<'api-ended'> | null;
}

/** A service's history, oldest first. */
export interface ServiceHistory {
  logins: Login[];
  exchanges: Exchange[];
  /** The last call for each method and URL (ignoring the query), in the order in which the calls ended. */
  calls: Call[];
  stored: Of<'session'> | null;
  /** Options that `configure` rejected in this document since it last accepted the service. One entry per option. */
  refused: Of<'refused'>[];
  events: Of<'event'>[];
}

export interface History {
  services: ReadonlyMap<string, ServiceHistory>;
  csp: readonly Of<'csp'>[];
}

/** Only this many of the newest entries are considered. */
const MAX_ENTRIES = 5_000;
const MAX_CALLS = 200;
const cache = new WeakMap<readonly Entry[], History>();

/** Cached per list of entries. */
export function readHistory(entries: readonly Entry[]): History {
  let history = cache.get(entries);
  if (!history)
    cache.set(entries, (history = read(entries.length > MAX_ENTRIES ? entries.slice(-MAX_ENTRIES) : entries)));
  return history;
}

interface Open extends ServiceHistory {
  requested: Of<'token-requested'> | null;
  pending: Map<string, Of<'api-started'>>;
  byAddress: Map<string, Call>;
}

function read(entries: readonly Entry[]): History {
  const services = new Map<string, Open>();
  const csp: Of<'csp'>[] = [];
  let documentId = '';
  for (const entry of entries) {
    if (entry.documentId !== documentId) {
      documentId = entry.documentId;
      for (const service of services.values()) leave(service);
    }
    if (isOf(entry, 'csp')) csp.push(entry);
    else if (entry.detail.kind !== 'navigated' && entry.detail.kind !== 'dropped')
      add(openOf(services, entry.service), entry);
  }
  for (const service of services.values()) service.calls = [...service.byAddress.values()];
  return { services, csp };
}

function openOf(services: Map<string, Open>, name: string): Open {
  let open = services.get(name);
  if (!open)
    services.set(
      name,
      (open = {
        logins: [],
        exchanges: [],
        calls: [],
        stored: null,
        refused: [],
        events: [],
        requested: null,
        pending: new Map(),
        byAddress: new Map(),
      }),
    );
  return open;
}

/** Navigation ends everything pending, and the next document configures its services again. */
function leave(service: Open): void {
  const login = service.logins.at(-1);
  if (login?.outcome === 'open') login.outcome = 'left';
  service.requested = null;
  service.pending.clear();
  service.refused = [];
}

function add(service: Open, entry: Entry): void {
  const login = service.logins.at(-1);
  const open = login?.outcome === 'open' ? login : null;
  if (open && belongs(entry)) open.last = entry;
  const update = UPDATES[entry.detail.kind] as Update<EntryDetail['kind']> | undefined;
  update?.(service, entry, open);
}

type Update<K extends EntryDetail['kind']> = (service: Open, entry: Of<K>, open: Login | null) => void;

/** How each kind of entry updates its service's history and the open login. */
const UPDATES: { [K in EntryDetail['kind']]?: Update<K> } = {
  configured: (service) => {
    service.refused = [];
  },
  refused: (service, entry) => {
    service.refused = [...service.refused.filter(({ detail }) => detail.option !== entry.detail.option), entry];
  },
  'login-started': (service, entry, open) => {
    if (!open || !entry.detail.shared) service.logins.push(startedLogin(entry));
  },
  popup: (_service, entry, open) => {
    open?.popup.push(entry);
    if (open && entry.detail.state === 'blocked') fail(open, 'POPUP_BLOCKED');
  },
  callback: (_service, entry, open) => {
    if (open) open.callback = entry;
  },
  'state-checked': (_service, entry, open) => {
    if (open) open.stateChecked = entry;
  },
  'token-requested': (service, entry) => {
    service.requested = entry;
  },
  'token-answered': (service, entry, open) => {
    const exchange = { request: service.requested, response: entry };
    service.requested = null;
    service.exchanges.push(exchange);
    if (open && exchange.request?.detail.grant !== 'refresh_token') open.exchange = exchange;
  },
  session: (service, entry, open) => {
    if (entry.detail.change !== 'removed') service.stored = entry;
    if (open && entry.detail.change === 'stored') open.outcome = 'succeeded';
  },
  event: (service, entry, open) => {
    const { name, code } = entry.detail;
    service.events.push(entry);
    if (open && name === 'auth.login') open.outcome = 'succeeded';
    if (name === 'auth.fail' && !code?.startsWith('REFRESH_')) failLogin(service, open, code);
  },
  settled: (_service, { detail: { call, code } }, open) => {
    if (!open || call !== 'login') return;
    if (code === null) open.outcome = 'succeeded';
    else fail(open, code);
  },
  'api-started': (service, entry) => {
    service.pending.set(callKey(entry, entry.detail.call), entry);
    setCall(service, { started: entry, ended: null });
  },
  'api-ended': (service, entry) => {
    const key = callKey(entry, entry.detail.call);
    const started = service.pending.get(key);
    service.pending.delete(key);
    if (started) setCall(service, { started, ended: entry });
  },
};

const startedLogin = (started: Of<'login-started'>): Login => ({
  started,
  popup: [],
  callback: null,
  stateChecked: null,
  exchange: null,
  outcome: 'open',
  code: null,
  last: started,
});

/** Marks a login as failed. If a blocked popup already did so, only adds the error code. */
function failLogin(service: Open, open: Login | null, code: string | null): void {
  const login = service.logins.at(-1);
  if (open) fail(open, code);
  else if (login?.outcome === 'failed') login.code ??= code;
}

/** Whether an entry can be part of a login. */
const belongs = ({ detail }: Entry): boolean =>
  detail.kind === 'popup' ||
  detail.kind === 'callback' ||
  detail.kind === 'state-checked' ||
  detail.kind === 'token-answered' ||
  (detail.kind === 'event' && detail.name === 'auth.fail') ||
  detail.kind === 'settled';

function fail(login: Login, code: string | null): void {
  login.outcome = 'failed';
  login.code = code;
}

/** Replaces earlier calls to the same URL, because a call that works now is no longer a problem. */
function setCall(service: Open, call: Call): void {
  const { method, url } = call.started.detail;
  const key = `${method.toUpperCase()} ${url.replace(/[?#].*/s, '')}`;
  const before = service.byAddress.get(key);
  if (!call.ended && before?.ended) return;
  service.byAddress.delete(key);
  service.byAddress.set(key, call);
  if (service.byAddress.size > MAX_CALLS) service.byAddress.delete(service.byAddress.keys().next().value!);
}

const callKey = (entry: Entry, call: number): string => `${entry.documentId} ${call}`;

function isOf<K extends EntryDetail['kind']>(entry: Entry, kind: K): entry is Of<K> {
  return entry.detail.kind === kind;
}
