/** Creates and runs actions, and reads their recordings. */
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { Recording } from '../../../lib/debugging/recording/format.ts';
import type { Action, LogList, LogRecord, PipelineStep } from '../../../lib/platform-api/index.ts';
import type { TestPlatform } from './platform.ts';

export const APP = '/v1/apps/103';
let made = 0;

export async function created(
  platform: TestPlatform,
  functions: PipelineStep[],
  properties: object = {},
): Promise<number> {
  const { status, body, text } = await platform.ask<{ action: Action }>(`${APP}/actions`, {
    body: { name: `recorded-${(made += 1)}`, functions, ...properties },
  });
  expect(status, text).toBe(201);
  return body.action.id;
}

/** Runs an action, and returns its log record. */
export async function recordOf(platform: TestPlatform, id: number, body: object = {}): Promise<LogRecord> {
  await platform.ask(`${APP}/actions/${id}/run-with-result`, { body });
  const { logs } = (await platform.ask<LogList>(`${APP}/logs?id=${id}&limit=1`)).body;
  return logs[0]!;
}

export const recordingOf = (platform: TestPlatform, { id }: LogRecord, app = APP) =>
  platform.ask<Recording & { error: string; message: string; hint: string }>(`${app}/logs/${id}/recording`);

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder with function packages: the source of each function, by the package’s name. */
export async function packagesFolder(packages: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  folders.push(folder);
  for (const [name, source] of Object.entries(packages))
    await writeFile(join(folder, `${name}.js`), `Platform.Functions.register('test.${name}', ${source});`);
  return folder;
}
