/**
 * Opens the debug page of an action in a browser, with the agent in it. The token goes with the request of the page itself,
 * and with no other one.
 */
import type { CDPSession, HTTPResponse, Page } from 'puppeteer-core';
import type { InspectorTransport } from '../../extension/inspector/index.ts';
import { AgentConnection, Evaluator, RunInspectorClient } from '../../extension/inspector/index.ts';
import { CodedError, compileUrl } from '../../platform-api/index.ts';
import { checkPage, type Connection } from '../../rest/index.ts';
import { agentSource } from './agent-source.ts';
import type { RunBrowser } from './browser.ts';

export interface DebugPageOptions {
  appId: number;
  actionId: number;
  /** The name of the page’s global namespace. */
  namespace: string;
  /** Whether the browser has a window. */
  headed?: boolean | undefined;
  /** In milliseconds. Default: 5 minutes. */
  loadLimit?: number | undefined;
}

export interface DebugPage {
  inspector: RunInspectorClient;
  /** Rejects when the page crashes, is closed, or loses its browser. Never resolves. */
  lost: Promise<never>;
  /** Loads the page again, with the payload in its URL. @throws CodedError as `openDebugPage` */
  loadWith(payload: string): Promise<void>;
  dispose(): void;
}

const TITLE = 'debug page';
/** A platform may compile a page for minutes, and the command can be canceled. */
const LOAD_LIMIT = 300_000;
const CHECK_LIMIT = 3_000;
/** Milliseconds between polls, during a run and else. */
const INTERVALS = { busy: 50, idle: 1_000 };

/**
 * Whether the platform serves the page for the token, so that errors are known before a browser starts. A page that takes
 * longer, or that is redirected, is left to the browser.
 * @throws CodedError with the codes of the REST client
 */
export async function checkDebugPage(
  connection: Connection,
  { appId, actionId }: Pick<DebugPageOptions, 'appId' | 'actionId'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const path = compileUrl('', appId, actionId);
  try {
    await checkPage(connection, { path, title: TITLE }, { signal, timeoutMs: CHECK_LIMIT });
  } catch (error) {
    if (!(error instanceof CodedError) || !LEFT_TO_BROWSER.has(error.code)) throw error;
  }
}

const LEFT_TO_BROWSER: ReadonlySet<string> = new Set(['PLATFORM_SLOW', 'ANSWER_REDIRECTED']);

/** @throws CodedError `PAGE_SLOW`, `PAGE_REFUSED`, `PAGE_ELSEWHERE`, `TAB_REFUSED`, `PAGE_CRASHED`, `BROWSER_LOST` */
export async function openDebugPage(
  { browser }: RunBrowser,
  { baseUrl, token }: Connection,
  { appId, actionId, namespace, headed = false, loadLimit = LOAD_LIMIT }: DebugPageOptions,
): Promise<DebugPage> {
  const url = new URL(compileUrl(baseUrl, appId, actionId)).href;
  const [page = await browser.newPage()] = await browser.pages();
  const lost = whenLost(page);
  // A dialog would stop the page until someone answers it, and without a window, that’s impossible.
  if (!headed) page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  let watched: Promise<unknown> = Promise.resolve();
  const evaluator = new Evaluator({ eval: (expression) => page.evaluate(expression) });
  const transport: InspectorTransport = {
    evaluate: (expression) => evaluator.evaluate(expression),
    reload: (script) => void (watched = page.evaluateOnNewDocument(script)),
  };
  const agent = new AgentConnection(transport, agentSource);
  // The agent sees each function that the page registers, because it starts before the page’s first script.
  const started = await agent.reload('run', namespace);
  if (!started.ok) throw new CodedError(started.error);
  await Promise.race([watched, lost]);
  const open = async (at: string): Promise<void> => {
    const release = await sendToken(page, { url: at, baseUrl, token });
    try {
      await Promise.race([load(page, at, loadLimit), lost]);
    } finally {
      await release();
    }
  };
  await open(url);
  const inspector = new RunInspectorClient(agent, INTERVALS);
  const loadWith = (payload: string): Promise<void> =>
    open(new URL(`${url}&payload=${encodeURIComponent(payload)}`).href);
  return { inspector, lost, loadWith, dispose: () => inspector.dispose() };
}

async function load(page: Page, url: string, limit: number): Promise<void> {
  const response = await page
    .goto(url, { waitUntil: 'domcontentloaded', timeout: limit })
    .catch((error: unknown): never => {
      throw notOpened(error, limit);
    });
  checkResponse(response, url);
}

function checkResponse(response: HTTPResponse | null, url: string): void {
  const isElsewhere = response && new URL(response.url()).origin !== new URL(url).origin;
  if (isElsewhere)
    throw new CodedError({
      code: 'PAGE_ELSEWHERE',
      message: `Couldn’t open the ${TITLE}: the platform redirected it to ${new URL(response.url()).host}.`,
      hint: 'Enter the new URL as the base URL if you trust it. The token was sent only to the environment’s.',
    });
  const status = response?.status() ?? 200;
  if (status < 400) return;
  throw new CodedError({
    code: 'PAGE_REFUSED',
    message: `Couldn’t open the ${TITLE} with the token: the browser got status ${status}.`,
    hint: 'Try again. If the error persists, check what changes requests to this host.',
  });
}

function notOpened(error: unknown, limit: number): CodedError {
  const reason = error instanceof Error ? error.message.split('\n')[0]! : String(error);
  if (error instanceof Error && error.name === 'TimeoutError')
    return new CodedError({
      code: 'PAGE_SLOW',
      message: `Couldn’t open the ${TITLE}: it didn’t load within ${Math.round(limit / 1000)} seconds. Nothing was run.`,
      hint: 'Check whether all scripts of the page load, then try again.',
    });
  return new CodedError({
    code: 'TAB_REFUSED',
    message: `The browser didn’t open the ${TITLE}: ${reason}`,
    hint: 'Check the base URL of the environment, then try again.',
  });
}

/**
 * Adds the token to the request of this URL in the page’s main frame, and to those below the base URL that it’s redirected
 * to, until it’s released.
 */
async function sendToken(
  page: Page,
  { url, baseUrl, token }: { url: string; baseUrl: string; token: string },
): Promise<() => Promise<void>> {
  const session: CDPSession = await page.createCDPSession();
  const { frameTree } = await session.send('Page.getFrameTree');
  session.on('Fetch.requestPaused', ({ requestId, request, frameId, redirectedRequestId }) => {
    const isRedirected = redirectedRequestId !== undefined && request.url.startsWith(`${baseUrl}/`);
    const isWanted = request.url === url || isRedirected;
    const isPage = request.method === 'GET' && isWanted && frameId === frameTree.frame.id;
    const headers = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
    const withToken = isPage ? { headers: [...headers, { name: 'Auth-token', value: token }] } : {};
    void session.send('Fetch.continueRequest', { requestId, ...withToken }).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] });
  return async () => {
    await session.send('Fetch.disable').catch(() => undefined);
    await session.detach().catch(() => undefined);
  };
}

function whenLost(page: Page): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const lose = (code: string, what: string, hint: string) => (): void =>
    reject(new CodedError({ code, message: `The run can’t be followed anymore: ${what}.`, hint }));
  page.once('error', lose('PAGE_CRASHED', 'the page crashed', RUN_AGAIN));
  page.once('close', lose('BROWSER_LOST', 'the browser was closed', RUN_AGAIN));
  page.browser().once('disconnected', lose('BROWSER_LOST', 'the browser ended', RUN_AGAIN));
  promise.catch(() => undefined);
  return promise;
}

const RUN_AGAIN = 'Check what the action has done before you run it again.';
