/** What a rule of actions is tested with: the JavaScript API’s operations, in a page or over HTTP, and the platform. */
import type { Page } from 'puppeteer-core';
import { expect, vi } from 'vitest';
import type { ActionProperties, ActionsApi } from '../../../lib/actions/actions.ts';
import type { AnalyticsApi } from '../../../lib/actions/analytics.ts';
import type { Action, FunctionDescriptor, LogList, LogRecord, Pipeline } from '../../../lib/platform-api/index.ts';
import type { Platform, PlatformOptions } from '../../../lib/local-platform/index.ts';

/**
 * One way to call the operations; refused calls reject with an Error that has `code`, `status`, `message`, and
 * `details`.
 */
export interface Driver {
  /** The preview’s API, whose runs use the working copy. */
  actions: ActionsApi;
  /** The live app’s API, whose runs use the published copy. */
  live: ActionsApi;
  functions(): Promise<FunctionDescriptor[]>;
}
export interface PageDriver extends Driver {
  analytics: AnalyticsApi;
  /** The preview page itself, at screen 2002. */
  page: Page;
  close(): Promise<void>;
}

export interface RuleTestBed<D extends Driver = Driver> {
  api: D;
  /** Creates an action with a unique name, which is removed after the check. */
  fresh(properties?: ActionProperties): Promise<Action>;
  published(properties?: ActionProperties): Promise<Action>;
  /** Adds a log record, which only the REST API can. */
  log(record: object): Promise<LogRecord>;
  /** Waits for `count` log records of an action, and returns them, newest first. */
  logged(actionId: number, count: number): Promise<LogRecord[]>;
  /** Moves the platform’s clock forward to a time. */
  moveClock(to: string): Promise<void>;
}

/** A rule of the specification or the decisions, and how to check it. */
export interface Rule<D extends Driver = Driver> {
  title: string;
  check(bed: RuleTestBed<D>): Promise<void>;
}

export const APP = 101;
/** Has lower limits than the specification, so that no check takes minutes. No demo schedule is due at this time. */
export const RULE_PLATFORM = {
  port: 0,
  clock: new Date('2026-03-02T00:00:00Z'),
  // Enough for every other run on a busy machine.
  limits: { time: 5_000, result: 2_000 },
} satisfies PlatformOptions;

/** What refused calls reject with, in both drivers. */
export class Refused extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: unknown;
  constructor({
    code,
    status,
    message,
    details,
  }: {
    code: string;
    status: number;
    message: string;
    details?: unknown;
  }) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

export function refusal(
  call: Promise<unknown>,
): Promise<{ code: string; status: number; message: string; details: unknown }> {
  return call.then(
    (result) => {
      throw new Error(`Expected a refusal, but the call resolved with ${JSON.stringify(result)}.`);
    },
    ({ code, status, message, details }: Refused) => ({ code, status, message, details }),
  );
}

export const step = (name: string, settings: Record<string, unknown> = {}, functions?: Pipeline): Pipeline[number] => ({
  functionPackage: `com.platform.function.${name}`,
  settings,
  ...(functions && { functions }),
});
export const say = (message: string): Pipeline => [step('return-string', { message })];
export const assign = (name: string, expression: string): Pipeline[number] =>
  step('set-context', { assign: { [name]: expression } });

export type AskPlatform = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Sends requests to a platform’s REST API with its own token. @throws Refused */
export const askPlatform =
  ({ baseUrl, authToken }: Platform): AskPlatform =>
  async (method, path, body) => {
    const request: RequestInit = { method, headers: { 'Auth-token': authToken, 'Content-Type': 'application/json' } };
    if (body !== undefined) request.body = JSON.stringify(body);
    const response = await fetch(`${baseUrl}/v1/${path}`, request);
    const text = await response.text();
    const reply = (text === '' ? undefined : JSON.parse(text)) as {
      error: string;
      message: string;
      details?: unknown;
    };
    if (!response.ok)
      throw new Refused({
        code: reply.error,
        status: response.status,
        message: reply.message,
        details: reply.details,
      });
    return reply;
  };

let created = 0;

/** Checks one rule, and removes the actions that it created. */
export async function checkRule<D extends Driver>(platform: Platform, api: D, rule: Rule<D>): Promise<void> {
  const ask = askPlatform(platform);
  const ids: number[] = [];
  const fresh: RuleTestBed['fresh'] = async (properties = {}) => {
    const action = await api.actions.create({ name: `rule-${(created += 1)}`, ...properties });
    ids.push(action.id);
    return action;
  };
  try {
    await rule.check({
      api,
      fresh,
      published: async (properties) => api.actions.publish((await fresh(properties)).id, true),
      log: async (record) => ((await ask('POST', `apps/${APP}/logs`, record)) as { log: LogRecord }).log,
      logged: (id, count) =>
        vi.waitFor(
          async () => {
            const list = (await ask('GET', `apps/${APP}/logs?id=${id}`)) as LogList;
            expect(list.count).toBe(count);
            return list.logs;
          },
          { timeout: 20_000, interval: 50 },
        ),
      moveClock: async (to) => void (await ask('POST', 'clock', { to })),
    });
  } finally {
    // The rule may have removed some itself.
    for (const id of ids) await ask('DELETE', `apps/${APP}/actions/${id}?by=id`).catch(() => {});
  }
}
