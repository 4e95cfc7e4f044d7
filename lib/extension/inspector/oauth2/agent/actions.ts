/** Owns what a person does from the panel: log in, log out, refresh, call the API; each ends, or is ended, and its outcome is told. */
import { describe } from '../../agent/describe.ts';
import { createHandles } from '../../agent/handles.ts';
import { isActivated, later, mapDelete, mapGet, MapOf, mapSet, now, parseJson } from '../../agent/pristine.ts';
import { attempt, callMethod } from '../../agent/safe.ts';
import type { ErrorValue } from '../../../../platform-api/index.ts';
import type { RemoteValue } from '../../contract.ts';
import type { ActionName, ActionRequest, ApiResponse } from '../contract.ts';
import { askForClick } from './click-prompt.ts';
import { codeOf, memberOf, shortly } from './library.ts';
import type { Mask } from './mask.ts';
import type { Report } from './flow-log.ts';

/** Milliseconds: a login waits for a person, the others for a service. */
const LIMITS: Record<ActionName, number> = { login: 660_000, logout: 60_000, refresh: 90_000, api: 120_000 };
const CLICK_LIMIT = 60_000;
const MOST_ANSWERS = 20;
const BODY = { nodes: 5_000, chars: 200_000, depth: 12 };

interface Open {
  id: number;
  request: ActionRequest;
  service: string;
  started: number;
  state: 'waiting' | 'started' | 'ended';
  take: (() => void) | null;
}

/** @param found the service's instance by its told name, and the name that the page uses */
export function createActions(
  found: (told: string) => { instance: object | null; name: string } | null,
  mask: Mask,
  tell: Report,
  stale: () => void,
) {
  const open = new MapOf<number, Open>();
  const answers = new MapOf<number, ApiResponse>();
  let count = 0;

  function end(
    one: Open,
    state: 'done' | 'failed' | 'cancelled' | 'timed-out',
    code: string | null = null,
    message: string | null = null,
  ): void {
    if (one.state === 'ended') return;
    one.state = 'ended';
    one.take?.();
    mapDelete(open, one.id);
    tell(one.service, {
      kind: 'action',
      action: one.request.action,
      id: one.id,
      state,
      code,
      message,
      milliseconds: now() - one.started,
    });
    stale();
  }

  async function run(one: Open, instance: object): Promise<void> {
    const { request } = one;
    one.state = 'started';
    tell(one.service, {
      kind: 'action',
      action: request.action,
      id: one.id,
      state: 'started',
      code: null,
      message: null,
      milliseconds: null,
    });
    later(
      () => end(one, 'timed-out', 'TIME_LIMIT', 'The library did not come to an end in time.'),
      LIMITS[request.action],
    );
    one.started = now();
    try {
      const args: unknown[] =
        request.action === 'api'
          ? [
              {
                path: request.path,
                method: request.method,
                data: request.data === null ? null : parseJson(request.data),
              },
            ]
          : [];
      const value: unknown = await callMethod(instance, request.action, args);
      if (request.action === 'api') keep(one, { ok: true, status: null, code: null, message: null, body: told(value) });
      end(one, 'done');
    } catch (thrown) {
      const code = codeOf(thrown, mask);
      const message = attempt(() => shortly(thrown, mask)) ?? 'It failed.';
      if (request.action === 'api') {
        const status = memberOf(thrown, 'status');
        const body = memberOf(thrown, 'body');
        keep(one, {
          ok: false,
          status: typeof status === 'number' ? status : null,
          code,
          message,
          body: body === undefined ? null : told(body),
        });
      }
      end(one, 'failed', code ?? 'FAILED', message);
    }
  }
  function told(value: unknown): RemoteValue {
    return (
      attempt(() => mask.value(describe(value, BODY, createHandles()))) ?? {
        t: 'unreadable',
        message: 'could not be read',
      }
    );
  }
  function keep(one: Open, answer: Omit<ApiResponse, 'id' | 'milliseconds'>): void {
    if (one.state === 'ended') return;
    mapDelete(answers, one.id - MOST_ANSWERS);
    mapSet(answers, one.id, { id: one.id, milliseconds: now() - one.started, ...answer });
  }

  function login(one: Open, instance: object): { ok: true; id: number } | { ok: false; error: ErrorValue } {
    if (isActivated()) {
      void run(one, instance);
      return { ok: true, id: one.id };
    }
    one.take = askForClick(
      `Log in to ${one.service}`,
      () => void run(one, instance),
      () => end(one, 'cancelled', 'CANCELLED', 'Cancelled in the page.'),
    );
    if (!one.take) {
      mapDelete(open, one.id);
      return refused(
        'PAGE_CANNOT_ASK',
        'This document can’t show the button that asks for your click.',
        'Log in by the page’s own button.',
      );
    }
    tell(one.service, {
      kind: 'action',
      action: 'login',
      id: one.id,
      state: 'waiting',
      code: null,
      message: null,
      milliseconds: null,
    });
    later(() => {
      if (one.state === 'waiting') end(one, 'timed-out', 'NOT_CLICKED', 'Nobody pressed the button in the page.');
    }, CLICK_LIMIT);
    return { ok: true, id: one.id };
  }

  return {
    start(request: ActionRequest): { ok: true; id: number } | { ok: false; error: ErrorValue } {
      const service = found(request.service);
      if (!service?.instance)
        return refused(
          'SERVICE_UNKNOWN',
          `The page has no service ${request.service} any more.`,
          'Reload the page, or configure the service.',
        );
      const { instance } = service;
      if (typeof memberOf(instance, request.action) !== 'function')
        return refused(
          'METHOD_MISSING',
          `This library has no ${request.action}().`,
          request.action === 'refresh'
            ? 'It refreshes by itself before a call of the API, when the option refresh is set.'
            : 'Use a library that has the specified methods.',
        );
      if (request.action === 'api' && request.data !== null && !isJson(request.data))
        return refused(
          'BODY_INVALID',
          'The data is not JSON.',
          'Write JSON, such as {"name": "value"}, or leave it empty.',
        );
      const one: Open = { id: ++count, request, service: service.name, started: now(), state: 'waiting', take: null };
      mapSet(open, one.id, one);
      if (request.action === 'login') return login(one, instance);
      void run(one, instance);
      return { ok: true, id: one.id };
    },
    cancel(id: number): boolean {
      const one = mapGet(open, id);
      if (!one) return false;
      end(one, 'cancelled', 'CANCELLED', 'No longer waited for; what the library began goes on in the page.');
      return true;
    },
    apiResponse: (id: number): ApiResponse | null => mapGet(answers, id) ?? null,
  };
}

function isJson(text: string): boolean {
  return (
    attempt(() => {
      parseJson(text);
      return true;
    }) ?? false
  );
}
function refused(code: string, message: string, hint: string): { ok: false; error: ErrorValue } {
  return { ok: false, error: { code, message, hint } };
}
