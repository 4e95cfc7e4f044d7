/** Creates V3 actions for tests, and waits for their log records. */
import { expect, vi } from 'vitest';
import type { ActionV3 } from '../../../lib/platform-api/actions-v3/index.ts';
import type { LogList } from '../../../lib/platform-api/index.ts';
import type { ApiResponse, Refusal, TestPlatform } from '../support/platform.ts';

/** A published app. */
export const APP = 102;
export const V3 = `/v3/apps/${APP}/actions`;

export const execute = (body: string): string => `async function execute(context) {\n${body}\n}`;

let made = 0;
/** A name that no other test uses. */
export const newName = (): string => `v3-${(made += 1)}`;

export type Created = { action: ActionV3 } & Refusal;

export const create = (platform: TestPlatform, properties: object = {}, app = APP): Promise<ApiResponse<Created>> =>
  platform.ask<Created>(`/v3/apps/${app}/actions`, {
    body: { name: newName(), code: execute(''), ...properties },
  });

/** An active action that can be run manually. */
export async function fresh(platform: TestPlatform, body: string, properties: object = {}): Promise<ActionV3> {
  const { status, body: created } = await create(platform, {
    code: execute(body),
    active: true,
    triggers: [{ trigger: 'manual' }],
    ...properties,
  });
  expect({ status, message: created.message }).toEqual({ status: 201, message: undefined });
  return created.action;
}

/** The action’s log records, newest first, once there are `count`. */
export const logged = (platform: TestPlatform, id: number, count: number, app = APP): Promise<LogList['logs']> =>
  vi.waitFor(
    async () => {
      const { body } = await platform.ask<LogList>(`/v1/apps/${app}/logs?id=${id}`);
      expect(body.count).toBe(count);
      return body.logs;
    },
    { timeout: 20_000, interval: 50 },
  );
