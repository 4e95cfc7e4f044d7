/** Summarizes flows, and lists the timeline's rows: filtered flows with their entries below. */
import { describeEntry, type Tone } from './entry-text.ts';
import type { Entry, EntryDetail } from './types.ts';

type FlowType = 'login' | 'refresh' | 'logout' | 'api' | 'page' | 'other';

/** Related entries, summarized in one line. */
export interface Flow {
  id: number;
  type: FlowType;
  service: string;
  title: string;
  detail: string;
  tone: Tone;
  /** Epoch milliseconds. */
  started: number;
  milliseconds: number | null;
  status: number | null;
  bytes: number | null;
  isOpen: boolean;
  entries: Entry[];
}

export interface FlowFilter {
  text: string;
  /** `''` means all services. */
  service: string;
  kind: 'all' | 'login' | 'api' | 'refresh' | 'problems';
}

export type Row = { key: string; level: number; expanded: boolean | null; flow: Flow; entry: Entry | null };

/** Flows in the order of their first entries. */
export function flowsOf(entries: readonly Entry[]): Flow[] {
  const flows = new Map<number, Flow>();
  for (const entry of entries) {
    const flow = flows.get(entry.flow) ?? newFlow(entry);
    flows.set(entry.flow, flow);
    flow.entries.push(entry);
    addEntry(flow, entry);
  }
  return [...flows.values()];
}

/** Starts with the text of the first entry as the summary. */
function newFlow(entry: Entry): Flow {
  return {
    ...describeEntry(entry),
    id: entry.flow,
    type: 'other',
    service: entry.service,
    started: entry.at,
    milliseconds: null,
    status: null,
    bytes: null,
    isOpen: false,
    entries: [],
  };
}

function addEntry(flow: Flow, entry: Entry): void {
  const { detail } = entry;
  switch (detail.kind) {
    case 'login-started':
    case 'popup':
    case 'callback':
    case 'state-checked':
    case 'event':
      return addLoginEntry(flow, entry, detail);
    case 'token-requested':
    case 'token-answered':
    case 'session':
      return addTokenEntry(flow, entry, detail);
    case 'api-started':
    case 'api-ended':
      return addApiEntry(flow, entry, detail);
    case 'action':
      return addAction(flow, entry, detail.state);
    case 'settled':
      flow.isOpen = false;
      flow.milliseconds = detail.milliseconds;
      break;
    case 'navigated':
      flow.type = 'page';
      break;
    default:
  }
}

type LoginDetail = Extract<EntryDetail, { kind: 'login-started' | 'popup' | 'callback' | 'state-checked' | 'event' }>;

function addLoginEntry(flow: Flow, entry: Entry, detail: LoginDetail): void {
  const text = describeEntry(entry);
  if (detail.kind === 'login-started') {
    setType(flow, 'login', 'Login', text.detail);
    flow.isOpen = true;
  } else if (detail.kind === 'event') {
    const isFailure = detail.name === 'auth.fail';
    if (detail.name === 'auth.logout') setType(flow, 'logout', 'Logout', '');
    else if (flow.type === 'other') setType(flow, 'login', detail.name, detail.code ?? '');
    end(flow, entry, isFailure ? 'danger' : 'success', isFailure ? (detail.code ?? flow.detail) : '');
  } else {
    if (flow.type === 'other') setType(flow, 'login', 'Login', text.detail);
    if (text.tone === 'danger' || text.tone === 'warning') {
      flow.tone = text.tone;
      flow.detail = text.detail;
    }
  }
}

type TokenDetail = Extract<EntryDetail, { kind: 'token-requested' | 'token-answered' | 'session' }>;

function addTokenEntry(flow: Flow, entry: Entry, detail: TokenDetail): void {
  const text = describeEntry(entry);
  if (detail.kind === 'token-requested') {
    if (detail.reason === 'login')
      return setType(flow, 'login', 'Login', flow.type === 'login' ? flow.detail : text.detail);
    setType(flow, 'refresh', 'Refresh', text.detail);
    flow.isOpen = true;
  } else if (detail.kind === 'token-answered') {
    flow.status = detail.status;
    if (flow.type === 'refresh') end(flow, entry, detail.token ? 'success' : 'danger', detail.token ? '' : text.detail);
    else if (detail.code ?? detail.error) flow.tone = 'danger';
  } else if (detail.change === 'removed' && flow.type === 'other') setType(flow, 'logout', 'Logout', '');
  else if (flow.type === 'refresh') end(flow, entry, detail.change === 'stored' ? 'success' : 'danger', '');
}

type ApiDetail = Extract<EntryDetail, { kind: 'api-started' | 'api-ended' }>;

function addApiEntry(flow: Flow, entry: Entry, detail: ApiDetail): void {
  if (detail.kind === 'api-started') {
    setType(flow, 'api', `${detail.method.toUpperCase()} ${detail.url}`, detail.proxy ? 'through the proxy' : '');
    flow.isOpen = true;
    return;
  }
  setType(flow, 'api', flow.type === 'api' ? flow.title : 'API call', detail.code ?? '');
  flow.status = detail.status;
  flow.bytes = detail.bytes;
  end(flow, entry, detail.code ? 'danger' : 'success', '');
  flow.milliseconds = detail.milliseconds;
}

function addAction(flow: Flow, entry: Entry, state: string): void {
  if (state === 'waiting') flow.isOpen = true;
  if (state === 'waiting' || state === 'started' || flow.type === 'api') return;
  const { tone, detail } = describeEntry(entry);
  // A failed flow already shows details of the failed step.
  const isExplained = state === 'done' || (flow.type !== 'other' && state === 'failed');
  end(flow, entry, tone, isExplained ? '' : detail);
}

function setType(flow: Flow, type: FlowType, title: string, detail: string): void {
  Object.assign(flow, { type, title, detail, tone: 'plain' });
}

function end(flow: Flow, entry: Entry, tone: Tone, detail: string): void {
  flow.isOpen = false;
  flow.milliseconds = Math.max(0, entry.at - flow.started);
  flow.tone = tone;
  if (detail !== '') flow.detail = detail;
}

/** Whether the entries add nothing to the flow's line: a single entry, or a request and its response. */
function isPlain({ entries }: Flow): boolean {
  const [first, second] = entries;
  const isCall = first?.detail.kind === 'api-started' && second?.detail.kind === 'api-ended';
  return entries.length === 1 || (entries.length === 2 && isCall);
}

export function matches(flow: Flow, { text, service, kind }: FlowFilter): boolean {
  if (service !== '' && flow.service !== service && flow.type !== 'page') return false;
  if (!isOfKind(flow, kind)) return false;
  const query = text.trim().toLowerCase();
  if (query === '') return true;
  const includes = (...texts: string[]): boolean => texts.some((each) => each.toLowerCase().includes(query));
  return (
    includes(flow.title, flow.detail, flow.service) ||
    flow.entries.some((entry) => includes(describeEntry(entry).title, describeEntry(entry).detail))
  );
}

function isOfKind({ type, tone }: Flow, kind: FlowFilter['kind']): boolean {
  if (kind === 'problems') return tone === 'danger' || tone === 'warning';
  if (kind === 'login') return type === 'login' || type === 'logout';
  return kind === 'all' || type === kind;
}

/** @param collapsed IDs of flows whose entries are hidden */
export function rowsOf(flows: readonly Flow[], filter: FlowFilter, collapsed: ReadonlySet<number>): Row[] {
  const rows: Row[] = [];
  for (const flow of flows) {
    if (!matches(flow, filter)) continue;
    const expanded = isPlain(flow) ? null : !collapsed.has(flow.id);
    rows.push({ key: `f${flow.id}`, level: 0, expanded, flow, entry: null });
    if (expanded)
      for (const entry of flow.entries) rows.push({ key: `e${entry.id}`, level: 1, expanded: null, flow, entry });
  }
  return rows;
}
