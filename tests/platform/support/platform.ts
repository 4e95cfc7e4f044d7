/** Starts a platform for tests, with a free port and its own database, and sends requests with its token. */
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startPlatform, type Platform, type PlatformOptions } from '../../../lib/local-platform/index.ts';
import type { OpenedDatabase } from '../../../lib/local-platform/db/open.ts';
import { inProcessChild } from './in-process-child.ts';
import { pooledDatabase } from './pooled-database.ts';

// Also for processes that a test starts: nothing of the user’s configuration is used or changed.
if (!process.env.PLATFORM_DEVTOOLS_HOME) {
  const home = (process.env.PLATFORM_DEVTOOLS_HOME = mkdtempSync(join(tmpdir(), 'platform-home-')));
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
}

export interface ApiResponse<T> {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined when it isn’t JSON. */
  body: T;
}

/** The fields of every refusal. */
export interface Refusal {
  error: string;
  message: string;
  hint?: string;
  details?: { path: string; message: string }[];
}

export interface Ask {
  method?: string;
  /** null sends none. Default: the platform's own. */
  token?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
}

export interface TestPlatform extends Platform {
  ask<T = Refusal>(path: string, how?: Ask): Promise<ApiResponse<T>>;
}

export interface StartOptions extends PlatformOptions {
  /** Each run has a process of its own, as usual. By default, runs are executed in this process. */
  hasRunProcesses?: boolean;
  /** Default: a new one, unless `data` or `databaseUrl` say where it is. */
  database?: OpenedDatabase;
  /** The user’s configuration folder. */
  home?: string;
}

/** For hooks: close it yourself. Without the OAuth2 demo services, unless `oauthDemoPort` is 0. */
export async function start({ hasRunProcesses = false, ...options }: StartOptions = {}): Promise<TestPlatform> {
  const runs = hasRunProcesses ? {} : { startChild: inProcessChild };
  const { data = 'memory', databaseUrl, database } = options;
  const isGiven = data !== 'memory' || databaseUrl !== undefined || database !== undefined;
  const pooled = isGiven ? {} : { database: await pooledDatabase() };
  const platform = await startPlatform({ port: 0, oauthDemoPort: null, ...runs, ...pooled, ...options });
  const ask = async <T>(path: string, { method, token, headers, body }: Ask = {}): Promise<ApiResponse<T>> => {
    const sent = new Headers(headers);
    if (token !== null) sent.set('Auth-token', token ?? platform.authToken);
    if (body !== undefined && !sent.has('content-type')) sent.set('Content-Type', 'application/json');
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(platform.baseUrl + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: sent,
      body: text,
    });
    return read<T>(response);
  };
  return { ...platform, ask };
}

/** As `start`, for one test. */
export async function startForTest(options: StartOptions = {}): Promise<TestPlatform> {
  const platform = await start(options);
  onTestFinished(() => platform.close());
  return platform;
}

async function read<T>(response: Response): Promise<ApiResponse<T>> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body: body as T };
}

/** A request with headers that `fetch` doesn’t allow, such as Host. */
export function rawRequest(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        resolve({ status: response.statusCode!, headers: response.headers, body, text: body.toString() });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

/** An empty folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
