/**
 * Runs the actions that the user starts in the panel: login, logout, refresh, API call. Each one ends or times out, and
 * its outcome is reported.
 */
import type { ErrorValue } from '../../../../platform-api/index.ts';
import { describe } from '../../agent/describe/describe.ts';
import { createHandles } from '../../agent/handles.ts';
import { later, mapDelete, mapGet, MapOf, mapSet, isActivated, now, parseJson } from '../../agent/pristine.ts';
import { attempt, callMethod, readProperty } from '../../agent/safe.ts';
import type { RemoteValue } from '../../contract.ts';
import type { ActionName, ActionRequest, ApiResponse, SeenDetail, Started } from '../contract.ts';
import { promptForClick } from './click-prompt.ts';
import type { Report } from './flow-log.ts';
import { errorCode, summarize } from './library.ts';
import type { Mask } from './mask.ts';

/** In milliseconds. A login waits for the user, the other actions for a service. */
const TIMEOUTS: Record<ActionName, number> = { login: 660_000, logout: 60_000, refresh: 90_000, api: 120_000 };
const CLICK_TIMEOUT = 60_000;
const MAX_RESPONSES = 20;
const BODY = { nodes: 5_000, chars: 200_000, depth: 12 };

type ActionState = Extract<SeenDetail, { kind: 'action' }>['state'];

interface PendingAction {
  id: number;
  request: ActionRequest;
  service: string;
  startedAt: number;
  state: 'waiting' | 'started' | 'ended';
  removePrompt: (() => void) | null;
}

export class Actions {
  readonly #findService: (displayName: string) => { instance: object | null; name: string } | null;
  readonly #mask: Mask;
  readonly #report: Report;
  readonly #onEnd: () => void;
  readonly #pending = new MapOf<number, PendingAction>();
  readonly #responses = new MapOf<number, ApiResponse>();
  #count = 0;

  /**
   * @param findService finds a service's instance by its display name
   * @param onEnd called when sessions might have changed
   */
  constructor(
    findService: (displayName: string) => { instance: object | null; name: string } | null,
    mask: Mask,
    report: Report,
    onEnd: () => void,
  ) {
    this.#findService = findService;
    this.#mask = mask;
    this.#report = report;
    this.#onEnd = onEnd;
  }

  start(request: ActionRequest): Started {
    const service = this.#findService(request.service);
    if (!service?.instance)
      return rejected(
        'SERVICE_UNKNOWN',
        `The page no longer has the service ${request.service}.`,
        'Reload the page, or configure the service.',
      );
    const error = checkRequest(request, service.instance);
    if (error) return { ok: false, error };
    const action: PendingAction = {
      id: ++this.#count,
      request,
      service: service.name,
      startedAt: now(),
      state: 'waiting',
      removePrompt: null,
    };
    mapSet(this.#pending, action.id, action);
    if (request.action === 'login' && !isActivated()) return this.#prompt(action, service.instance);
    void this.#run(action, service.instance);
    return { ok: true, id: action.id };
  }

  cancel(id: number): boolean {
    const action = mapGet(this.#pending, id);
    if (!action) return false;
    this.#end(action, 'cancelled', 'CANCELLED', 'Canceled. The library may still complete the operation in the page.');
    return true;
  }

  apiResponse(id: number): ApiResponse | null {
    return mapGet(this.#responses, id) ?? null;
  }

  /** A login opens a window, which requires a click on the page. */
  #prompt(action: PendingAction, instance: object): Started {
    action.removePrompt = promptForClick(
      `Log in to ${action.service}`,
      () => void this.#run(action, instance),
      () => this.#end(action, 'cancelled', 'CANCELLED', 'Canceled on the page.'),
    );
    if (!action.removePrompt) {
      mapDelete(this.#pending, action.id);
      return rejected(
        'PAGE_CANNOT_ASK',
        'This document can’t show the button that you need to click.',
        'Try the page’s own login button.',
      );
    }
    this.#reportState(action, 'waiting');
    later(() => {
      if (action.state === 'waiting')
        this.#end(action, 'timed-out', 'NOT_CLICKED', 'The button on the page wasn’t clicked.');
    }, CLICK_TIMEOUT);
    return { ok: true, id: action.id };
  }

  async #run(action: PendingAction, instance: object): Promise<void> {
    const { request } = action;
    action.state = 'started';
    this.#reportState(action, 'started');
    later(
      () => this.#end(action, 'timed-out', 'TIME_LIMIT', 'The library didn’t finish in time.'),
      TIMEOUTS[request.action],
    );
    action.startedAt = now();
    try {
      const value: unknown = await callMethod(instance, request.action, argumentsOf(request));
      if (request.action === 'api')
        this.#keep(action, { ok: true, status: null, code: null, message: null, body: this.#describe(value) });
      this.#end(action, 'done');
    } catch (thrown) {
      this.#fail(action, thrown);
    }
  }

  #fail(action: PendingAction, thrown: unknown): void {
    const code = errorCode(thrown, this.#mask);
    const message = attempt(() => summarize(thrown, this.#mask)) ?? 'The action failed.';
    if (action.request.action === 'api') {
      const status = readProperty(thrown, 'status');
      const body = readProperty(thrown, 'body');
      this.#keep(action, {
        ok: false,
        status: typeof status === 'number' ? status : null,
        code,
        message,
        body: body === undefined ? null : this.#describe(body),
      });
    }
    this.#end(action, 'failed', code ?? 'FAILED', message);
  }

  #end(action: PendingAction, state: ActionState, code: string | null = null, message: string | null = null): void {
    if (action.state === 'ended') return;
    action.state = 'ended';
    action.removePrompt?.();
    mapDelete(this.#pending, action.id);
    this.#reportState(action, state, code, message, now() - action.startedAt);
    this.#onEnd();
  }

  #reportState(
    { id, request, service }: PendingAction,
    state: ActionState,
    code: string | null = null,
    message: string | null = null,
    milliseconds: number | null = null,
  ): void {
    this.#report(service, { kind: 'action', action: request.action, id, state, code, message, milliseconds });
  }

  #describe(value: unknown): RemoteValue {
    const described = attempt(() => this.#mask.value(describe(value, BODY, createHandles())));
    return described ?? { t: 'unreadable', message: 'could not be read' };
  }

  #keep(action: PendingAction, response: Omit<ApiResponse, 'id' | 'milliseconds'>): void {
    if (action.state === 'ended') return;
    mapDelete(this.#responses, action.id - MAX_RESPONSES);
    mapSet(this.#responses, action.id, { id: action.id, milliseconds: now() - action.startedAt, ...response });
  }
}

function checkRequest(request: ActionRequest, instance: object): ErrorValue | null {
  const { action } = request;
  if (typeof readProperty(instance, action) !== 'function')
    return {
      code: 'METHOD_MISSING',
      message: `This library has no ${action}().`,
      hint:
        action === 'refresh'
          ? 'Try an API call: if refresh is true, the library refreshes the token first.'
          : 'Try a library that has this method.',
    };
  if (request.action === 'api' && request.data !== null && !isJson(request.data))
    return {
      code: 'BODY_INVALID',
      message: 'The data must be JSON.',
      hint: 'Enter JSON, such as {"name": "value"}, or leave the field empty.',
    };
  return null;
}

function argumentsOf(request: ActionRequest): unknown[] {
  if (request.action !== 'api') return [];
  const { path, method, data } = request;
  return [{ path, method, data: data === null ? null : parseJson(data) }];
}

function isJson(text: string): boolean {
  return attempt(() => ({ value: parseJson(text) })) !== undefined;
}

function rejected(code: string, message: string, hint: string): { ok: false; error: ErrorValue } {
  return { ok: false, error: { code, message, hint } };
}
