/** Owns the rows of the timeline: flows with their entries under them, filtered. */
import type { Entry } from './types.ts';
import { lineOf, type Tone } from './words.ts';

type FlowType = 'login' | 'refresh' | 'logout' | 'api' | 'page' | 'other';

/** Entries that belong together, in one line. */
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
  /** `''`: all. */
  service: string;
  kind: 'all' | 'login' | 'api' | 'refresh' | 'problems';
}

export type Row = { key: string; level: number; expanded: boolean | null; flow: Flow; entry: Entry | null };

/** In the order of their first entries. */
export function flowsOf(entries: readonly Entry[]): Flow[] {
  const flows = new Map<number, Flow>();
  for (const entry of entries) {
    let flow = flows.get(entry.flow);
    if (!flow) {
      flow = {
        id: entry.flow,
        type: 'other',
        service: entry.service,
        title: '',
        detail: '',
        tone: 'plain',
        started: entry.at,
        milliseconds: null,
        status: null,
        bytes: null,
        isOpen: false,
        entries: [],
      };
      flows.set(entry.flow, flow);
    }
    flow.entries.push(entry);
    tell(flow, entry);
  }
  return [...flows.values()];
}

/** Takes an entry into the flow's one line. */
function tell(flow: Flow, entry: Entry): void {
  const { detail: e } = entry;
  const line = lineOf(entry);
  const isFirst = flow.entries.length === 1;
  if (isFirst) {
    flow.title = line.what;
    flow.detail = line.detail;
    flow.tone = line.tone;
  }
  switch (e.kind) {
    case 'login-started':
      name(flow, 'login', 'Login', line.detail);
      flow.isOpen = true;
      break;
    case 'token-requested':
      if (e.reason === 'login') name(flow, 'login', 'Login', flow.type === 'login' ? flow.detail : line.detail);
      else {
        name(flow, 'refresh', 'Refresh', line.detail);
        flow.isOpen = true;
      }
      break;
    case 'token-answered':
      flow.status = e.status;
      if (flow.type === 'refresh') end(flow, entry, e.token ? 'success' : 'danger', e.token ? '' : line.detail);
      else if (e.code ?? e.error) flow.tone = 'danger';
      break;
    case 'popup':
    case 'callback':
    case 'state-checked':
      if (flow.type === 'other') name(flow, 'login', 'Login', line.detail);
      if (line.tone === 'danger' || line.tone === 'warning') {
        flow.tone = line.tone;
        flow.detail = line.detail;
      }
      break;
    case 'event':
      if (e.name === 'auth.logout') name(flow, 'logout', 'Logout', '');
      else if (flow.type === 'other') name(flow, 'login', e.name, e.code ?? '');
      end(
        flow,
        entry,
        e.name === 'auth.fail' ? 'danger' : 'success',
        e.name === 'auth.fail' ? (e.code ?? flow.detail) : '',
      );
      break;
    case 'session':
      if (e.change === 'removed' && flow.type === 'other') name(flow, 'logout', 'Logout', '');
      else if (flow.type === 'refresh') end(flow, entry, e.change === 'stored' ? 'success' : 'danger', '');
      break;
    case 'api-started':
      name(flow, 'api', `${e.method.toUpperCase()} ${e.url}`, e.proxy ? 'through the proxy' : '');
      flow.isOpen = true;
      break;
    case 'api-ended':
      name(flow, 'api', flow.type === 'api' ? flow.title : 'Call of the API', e.code ?? '');
      flow.status = e.status;
      flow.bytes = e.bytes;
      end(flow, entry, e.code ? 'danger' : 'success', '');
      flow.milliseconds = e.milliseconds;
      break;
    case 'action':
      if (e.state === 'waiting') flow.isOpen = true;
      else if (e.state !== 'started' && flow.type !== 'api')
        end(
          flow,
          entry,
          line.tone,
          e.state === 'done' || (flow.type !== 'other' && e.state === 'failed') ? '' : line.detail,
        );
      break;
    case 'settled':
      flow.isOpen = false;
      flow.milliseconds = e.milliseconds;
      break;
    case 'navigated':
      flow.type = 'page';
      break;
    default:
  }
}

function name(flow: Flow, type: FlowType, title: string, detail: string): void {
  flow.type = type;
  flow.title = title;
  flow.detail = detail;
  flow.tone = 'plain';
}

function end(flow: Flow, entry: Entry, tone: Tone, detail: string): void {
  flow.isOpen = false;
  flow.milliseconds = Math.max(0, entry.at - flow.started);
  flow.tone = tone;
  if (detail !== '') flow.detail = detail;
}

/** A flow of one entry, or of a request and its answer, has nothing to unfold. */
export function isPlain({ entries }: Flow): boolean {
  return (
    entries.length === 1 ||
    (entries.length === 2 && entries[0]?.detail.kind === 'api-started' && entries[1]?.detail.kind === 'api-ended')
  );
}

export function matches(flow: Flow, { text, service, kind }: FlowFilter): boolean {
  if (service !== '' && flow.service !== service && flow.type !== 'page') return false;
  if (
    kind === 'problems'
      ? flow.tone !== 'danger' && flow.tone !== 'warning'
      : kind === 'login'
        ? flow.type !== 'login' && flow.type !== 'logout'
        : kind !== 'all' && flow.type !== kind
  )
    return false;
  const words = text.trim().toLowerCase();
  if (words === '') return true;
  const has = (...texts: string[]): boolean => texts.some((one) => one.toLowerCase().includes(words));
  return (
    has(flow.title, flow.detail, flow.service) ||
    flow.entries.some((entry) => has(lineOf(entry).what, lineOf(entry).detail))
  );
}

/** @param folded flows whose entries are hidden; others show them */
export function rowsOf(flows: readonly Flow[], filter: FlowFilter, folded: ReadonlySet<number>): Row[] {
  const rows: Row[] = [];
  for (const flow of flows) {
    if (!matches(flow, filter)) continue;
    const plain = isPlain(flow);
    const expanded = plain ? null : !folded.has(flow.id);
    rows.push({ key: `f${flow.id}`, level: 0, expanded, flow, entry: null });
    if (expanded)
      for (const entry of flow.entries) rows.push({ key: `e${entry.id}`, level: 1, expanded: null, flow, entry });
  }
  return rows;
}
