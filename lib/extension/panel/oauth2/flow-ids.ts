/** Groups entries into flows. A flow is a login, a refresh, a logout, or an API call. */
import type { EntryDetail } from './types.ts';

/** A service's open flows in one document. */
interface OpenFlows {
  login: number | null;
  refresh: number | null;
  logout: number | null;
  /** The flow of a pending token request. */
  token: number | null;
  /** An action started from the panel that the library hasn't reported on yet. */
  action: { name: string; flow: number } | null;
  actions: Map<number, number>;
  calls: Map<number, number>;
  /** The latest flow of each kind, for events that arrive after it ended. */
  last: Map<string, number>;
}

/** Limits memory use, because a page can report any number of services, calls, and actions. */
const MAX_OPEN = 500;

export class FlowIds {
  readonly #open = new Map<string, OpenFlows>();
  #count = 0;

  /** Assigns an entry to a flow, and returns the flow's ID. */
  assign(documentId: string, service: string, detail: EntryDetail): number {
    const open = this.#openFlows(`${documentId} ${service}`);
    switch (detail.kind) {
      case 'action':
        return this.#ofAction(open, detail);
      case 'login-started':
        return this.#ofLoginStart(open, detail.shared);
      case 'popup':
      case 'callback':
      case 'state-checked':
        return this.#login(open);
      case 'token-requested':
        return this.#ofTokenRequest(open, detail.reason);
      case 'token-answered':
        return this.#ofTokenResponse(open);
      case 'session':
        return this.#ofSession(open, detail.change);
      case 'event':
        return this.#ofEvent(open, detail.name);
      case 'settled':
        return open.last.get(detail.call) ?? this.#next();
      case 'api-started':
        return this.#ofCall(open, detail.call);
      case 'api-ended':
        return take(open.calls, detail.call) ?? this.#next();
      default:
        return this.#next();
    }
  }

  #next(): number {
    return ++this.#count;
  }

  #openFlows(key: string): OpenFlows {
    const known = this.#open.get(key);
    if (known) return known;
    if (this.#open.size >= MAX_OPEN) this.#open.clear();
    const open: OpenFlows = {
      login: null,
      refresh: null,
      logout: null,
      token: null,
      action: null,
      actions: new Map(),
      calls: new Map(),
      last: new Map(),
    };
    this.#open.set(key, open);
    return open;
  }

  /** Returns the flow of the panel's action if there is one, or starts a new flow. */
  #begin(open: OpenFlows, name: string): number {
    const flow = open.action?.name === name ? open.action.flow : this.#next();
    open.action = null;
    open.last.set(name, flow);
    return flow;
  }

  #login(open: OpenFlows): number {
    return (open.login ??= this.#begin(open, 'login'));
  }

  #ofAction(open: OpenFlows, { id, action, state }: Extract<EntryDetail, { kind: 'action' }>): number {
    const flow = open.actions.get(id) ?? this.#next();
    if (state === 'waiting' || state === 'started') {
      setBounded(open.actions, id, flow);
      open.action = { name: action, flow };
    } else {
      open.actions.delete(id);
      if (open.action?.flow === flow) open.action = null;
    }
    return flow;
  }

  #ofCall(open: OpenFlows, call: number): number {
    const flow = this.#begin(open, 'api');
    setBounded(open.calls, call, flow);
    return flow;
  }

  #ofLoginStart(open: OpenFlows, shared: boolean): number {
    if (shared && open.login !== null) return open.login;
    return (open.login = this.#begin(open, 'login'));
  }

  #ofTokenRequest(open: OpenFlows, reason: string): number {
    open.token = reason === 'login' ? this.#login(open) : (open.refresh = this.#begin(open, 'refresh'));
    return open.token;
  }

  #ofTokenResponse(open: OpenFlows): number {
    const flow = open.token ?? this.#next();
    open.token = null;
    return flow;
  }

  #ofSession(open: OpenFlows, change: string): number {
    if (change === 'changed-elsewhere') return this.#next();
    if (change !== 'stored') return open.login ?? open.refresh ?? (open.logout ??= this.#begin(open, 'logout'));
    const flow = open.login ?? open.refresh ?? this.#next();
    if (open.login === null) open.refresh = null;
    return flow;
  }

  #ofEvent(open: OpenFlows, name: string): number {
    if (name === 'auth.logout') {
      const flow = open.logout ?? this.#begin(open, 'logout');
      open.logout = null;
      return flow;
    }
    const flow = open.login ?? open.refresh ?? open.last.get('login') ?? this.#next();
    if (open.login === null) open.refresh = null;
    open.login = null;
    return flow;
  }
}

function setBounded(map: Map<number, number>, key: number, flow: number): void {
  if (map.size >= MAX_OPEN) map.clear();
  map.set(key, flow);
}

function take(map: Map<number, number>, key: number): number | undefined {
  const flow = map.get(key);
  map.delete(key);
  return flow;
}
