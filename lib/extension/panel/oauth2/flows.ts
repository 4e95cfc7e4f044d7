/** Owns which events belong together: those of one login, refresh, logout or call of the API are one flow. */
import type { EntryDetail } from './types.ts';

/** What is open of one service in one document. */
interface Open {
  login: number | null;
  refresh: number | null;
  logout: number | null;
  /** Of the token request that is under way. */
  token: number | null;
  /** A person's action whose first event of the library's own has not come yet. */
  action: { name: string; flow: number } | null;
  actions: Map<number, number>;
  calls: Map<number, number>;
  /** The latest of each, for what is told after its end. */
  last: Map<string, number>;
}

/** Names that a page may invent without end. */
const MOST_OPEN = 500;

export interface FlowNumbers {
  of(documentId: string, service: string, detail: EntryDetail): number;
}

export function createFlowNumbers(): FlowNumbers {
  const opens = new Map<string, Open>();
  let count = 0;

  function openOf(key: string): Open {
    const there = opens.get(key);
    if (there) return there;
    if (opens.size >= MOST_OPEN) opens.clear();
    const open: Open = {
      login: null,
      refresh: null,
      logout: null,
      token: null,
      action: null,
      actions: new Map(),
      calls: new Map(),
      last: new Map(),
    };
    opens.set(key, open);
    return open;
  }
  /** The flow that the person's action began, or a new one. */
  function begin(open: Open, name: string): number {
    const flow = open.action?.name === name ? open.action.flow : ++count;
    open.action = null;
    open.last.set(name, flow);
    return flow;
  }

  return {
    of(documentId, service, detail) {
      const open = openOf(`${documentId} ${service}`);
      switch (detail.kind) {
        case 'action':
          return ofAction(open, detail);
        case 'login-started':
          return detail.shared && open.login !== null ? open.login : (open.login = begin(open, 'login'));
        case 'popup':
        case 'callback':
        case 'state-checked':
          return (open.login ??= begin(open, 'login'));
        case 'token-requested':
          open.token =
            detail.reason === 'login' ? (open.login ??= begin(open, 'login')) : (open.refresh = begin(open, 'refresh'));
          return open.token;
        case 'token-answered': {
          const flow = open.token ?? ++count;
          open.token = null;
          return flow;
        }
        case 'session':
          return ofSession(open, detail.change);
        case 'event':
          return ofEvent(open, detail.name);
        case 'settled':
          return open.last.get(detail.call) ?? ++count;
        case 'api-started': {
          const flow = begin(open, 'api');
          if (open.calls.size >= MOST_OPEN) open.calls.clear();
          open.calls.set(detail.call, flow);
          return flow;
        }
        case 'api-ended': {
          const flow = open.calls.get(detail.call);
          open.calls.delete(detail.call);
          return flow ?? ++count;
        }
        default:
          return ++count;
      }
    },
  };

  function ofAction(open: Open, { id, action, state }: Extract<EntryDetail, { kind: 'action' }>): number {
    const flow = open.actions.get(id) ?? ++count;
    if (state === 'waiting' || state === 'started') {
      if (open.actions.size >= MOST_OPEN) open.actions.clear();
      open.actions.set(id, flow);
      open.action = { name: action, flow };
    } else {
      open.actions.delete(id);
      if (open.action?.flow === flow) open.action = null;
    }
    return flow;
  }

  function ofSession(open: Open, change: string): number {
    if (change === 'changed-elsewhere') return ++count;
    if (change === 'stored') {
      const flow = open.login ?? open.refresh ?? ++count;
      if (open.login === null) open.refresh = null;
      return flow;
    }
    return open.login ?? open.refresh ?? (open.logout ??= begin(open, 'logout'));
  }

  function ofEvent(open: Open, name: string): number {
    let flow: number;
    if (name === 'auth.logout') {
      flow = open.logout ?? begin(open, 'logout');
      open.logout = null;
    } else {
      flow = open.login ?? open.refresh ?? open.last.get('login') ?? ++count;
      if (open.login === null) open.refresh = null;
      open.login = null;
    }
    return flow;
  }
}
