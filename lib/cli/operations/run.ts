/** Runs an action on its debug page in an installed browser, through the same agent as the extension’s panel. */
import type { Mock } from '../../debugging/mocks/types.ts';
import type { RecordedAction, Recording } from '../../debugging/recording/format.ts';
import {
  compact,
  type Engine,
  mustLoadWith,
  type PageState,
  type RunInspector,
} from '../../extension/inspector/index.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { DEFAULT_NAMESPACE, RUN_TIME_LIMIT } from '../../platform-api/limits.ts';
import { checkPayload } from '../../platform-api/runs/payload.ts';
import type { Connection } from '../../rest/index.ts';
import { actionToRun } from '../run/action-to-run.ts';
import { type RunBrowser, startBrowser, type StartBrowser } from '../run/browser.ts';
import { checkDebugPage, type DebugPage, openDebugPage } from '../run/debug-page.ts';
import { type Followed, FollowedRun, untilEnd } from '../run/follow-run.ts';
import { checkedMocks, mocksOfRun, otherPackages, reallyRun } from '../run/mocks.ts';
import { canceled, type ReadyPage, whenReady } from '../run/page-ready.ts';
import { progressStep, type RunFacts, type RunReport, reportOf, type RunStep } from '../run/report.ts';

export type { RunReport, RunStep };

export interface RunArgs {
  connection: Connection;
  appId: number;
  /** The ID or the name of an action. On a platform that doesn’t list actions, the ID. */
  action: string;
  /** JSON text of an object. Default: `{}`. */
  payload?: string | undefined;
  /** Default: the platform’s runtime, as in the panel. */
  engine?: Engine | undefined;
  mocks?: readonly Mock[] | undefined;
  /** Also mocks all packages of the platform that send something, or change data. */
  dryRun?: boolean | undefined;
  /** Mocks the functions of all packages but these and the platform’s own that change nothing. */
  mockAllBut?: readonly string[] | undefined;
  /** Refuses to run if the run can’t be recorded. */
  mustRecord?: boolean | undefined;
  /** Until the run is stopped, in milliseconds. Default: the specification’s limit of 120 seconds. */
  timeout?: number | undefined;
  /** Until the page must have loaded, in milliseconds. Default: 5 minutes. */
  loadLimit?: number | undefined;
  /** The name of the pages’ global namespace. */
  namespace?: string | undefined;
  /** Shows the browser. */
  headed?: boolean | undefined;
}

/** What a run is about to do. */
export interface RunQuestion {
  action: string;
  /** Packages whose functions really run. */
  called: string[];
  /** Packages that mocks replace. */
  replaced: string[];
}

export type RunProgress =
  | { kind: 'browser' | 'page' | 'run' }
  /** A step has ended. */
  | { kind: 'step'; step: RunStep };

export interface RunHooks {
  /** Aborting it stops the run in the page, and closes the browser. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Called before anything is run, unless mocks replace each function that could change something. Throws to refuse. */
  confirm?: ((question: RunQuestion) => Promise<void>) | undefined;
  /** Default: starts an installed browser for this run. */
  startBrowser?: StartBrowser | undefined;
}

export interface ActionRun {
  run: RunReport;
  /** Null if the page’s runtime doesn’t report its steps. Masked. */
  recording: Recording | null;
}

/**
 * @throws CodedError if nothing was run, or `ABORTED`. How a run ended is in its report, even if the page was left
 */
export async function runAction(args: RunArgs, hooks: RunHooks = {}): Promise<ActionRun> {
  const { connection, appId, payload = '{}' } = args;
  const { signal = new AbortController().signal, onProgress } = hooks;
  const { error } = checkPayload(payload);
  if (error) throw new CodedError(error);
  const action = await actionToRun(connection, appId, args.action, { signal });
  await checkDebugPage(connection, { appId, actionId: action.actionId }, signal);
  onProgress?.({ kind: 'browser' });
  const browser = await (hooks.startBrowser ?? startBrowser)({ headed: args.headed, signal });
  try {
    if (signal.aborted) throw canceled();
    return await runIn(browser, args, { appId, baseUrl: connection.baseUrl, ...action }, hooks);
  } finally {
    await browser.close();
  }
}

type RunAction = RecordedAction & { appId: number; actionId: number };
type WatchedHooks = RunHooks & { signal: AbortSignal };

async function runIn(browser: RunBrowser, args: RunArgs, action: RunAction, hooks: RunHooks): Promise<ActionRun> {
  const { connection, headed, loadLimit, namespace = DEFAULT_NAMESPACE } = args;
  const { signal = new AbortController().signal, onProgress } = hooks;
  onProgress?.({ kind: 'page' });
  const page = await until(signal, openDebugPage(browser, connection, { ...action, namespace, headed, loadLimit }));
  try {
    return await runOn(page, args, action, { ...hooks, signal });
  } finally {
    page.dispose();
  }
}

async function runOn(page: DebugPage, args: RunArgs, action: RunAction, hooks: WatchedHooks): Promise<ActionRun> {
  const { engine = 'platform', namespace = DEFAULT_NAMESPACE } = args;
  const { signal, confirm } = hooks;
  const wanted = { ...action, baseUrl: args.connection.baseUrl, namespace };
  const ready = () => Promise.race([whenReady(page.inspector, wanted, engine, signal), page.lost]);
  const { state, pipeline } = await withPayload(await ready(), args, async (given) => {
    await until(signal, page.loadWith(given));
    return ready();
  });
  if (args.mustRecord) requireRecording(state, engine);
  const warnings = checkedMocks(args.mocks ?? [], pipeline);
  const others = args.mockAllBut && otherPackages(pipeline, args.mockAllBut);
  const mocks = mocksOfRun(args.mocks ?? [], args.dryRun ?? others !== undefined, others);
  const { isHarmless, called, replaced } = reallyRun(pipeline, mocks);
  if (!isHarmless) await confirm?.({ action: action.name ?? String(action.actionId), called, replaced });
  if (signal.aborted) throw canceled();
  const secrets = [args.connection.token];
  const facts = { action, engine, tracing: state.tracing, warnings, secrets, startedAt: new Date() };
  return follow(page, args, { ...facts, mocks: mocks.length }, { documentId: state.documentId, mocks }, hooks);
}

/** A runtime can read the payload while its page loads. @throws CodedError `PAYLOAD_NOT_SET` */
async function withPayload(
  opened: ReadyPage,
  { engine = 'platform', payload = '{}' }: RunArgs,
  load: (payload: string) => Promise<ReadyPage>,
): Promise<ReadyPage> {
  if (!mustLoadWith(opened.state, engine, payload)) return opened;
  const loaded = await load(compact(payload));
  if (!mustLoadWith(loaded.state, engine, payload)) return loaded;
  throw new CodedError({
    code: 'PAYLOAD_NOT_SET',
    message: 'Couldn’t run the action: its page was loaded without the payload. Nothing was run.',
    hint: 'Check if the platform redirects the debug page to a URL without its payload.',
  });
}

async function follow(
  { inspector, lost }: DebugPage,
  { payload = '{}', timeout = RUN_TIME_LIMIT }: RunArgs,
  facts: RunFacts,
  { documentId, mocks }: { documentId: string; mocks: readonly Mock[] },
  { signal, onProgress }: WatchedHooks,
): Promise<ActionRun> {
  onProgress?.({ kind: 'run' });
  const followed = new FollowedRun(inspector, {
    onStep: onProgress && ((step) => onProgress({ kind: 'step', step: progressStep(step, facts.secrets) })),
  });
  const options = { engine: facts.engine, documentId, ...(mocks.length > 0 && { debug: { mocks } }) };
  const { runId } = started(await Promise.race([inspector.start(payload, options), lost]));
  const run = await untilEnd(followed, inspector, { timeout, signal, lost });
  const recording = run.end && (await recordingOf(inspector, runId, facts.action));
  const text = run.end && !recording ? await resultText(inspector, run.end) : null;
  return reportOf(facts, run, recording, text);
}

/** @throws CodedError with a hint for the command line */
function started(result: Awaited<ReturnType<RunInspector['start']>>): { runId: string } {
  if (result.ok) return result.value;
  const { code } = result.error;
  const hint = Object.hasOwn(HINTS, code) ? HINTS[code] : undefined;
  throw new CodedError({ ...result.error, ...(hint !== undefined && { hint }) });
}

/** Of errors whose own hints are about the panel. */
const HINTS: Readonly<Record<string, string>> = {
  MOCKS_UNAVAILABLE: 'Try --engine ours.',
  PAGE_LEFT: 'Try again.',
  MOCKS_LIVE: 'Remove the mocks, or use an app that isn’t live.',
  FUNCTIONS_MISSING: 'Check the script of this function, or try --engine platform.',
};

function requireRecording({ tracing }: PageState, engine: Engine): void {
  if (engine === 'ours' || tracing === 'observed') return;
  throw new CodedError({
    code: 'RECORDING_UNAVAILABLE',
    message: 'Couldn’t record the run: the page’s runtime doesn’t report its steps. Nothing was run.',
    hint: 'Try --engine ours.',
  });
}

/** Null if the run wasn’t recorded, or if its recording is too large to read. */
async function recordingOf(inspector: RunInspector, runId: string, action: RecordedAction): Promise<Recording | null> {
  const text = await inspector.recording(runId);
  return text.ok && text.value !== null ? { ...(JSON.parse(text.value) as Recording), action } : null;
}

/** The result as JSON; null if the page has none. */
async function resultText(inspector: RunInspector, end: NonNullable<Followed['end']>): Promise<string | null> {
  if (end.resultText === undefined) return null;
  const text = await inspector.text(end.resultText);
  return text.ok ? text.value : null;
}

/** @throws CodedError `ABORTED` */
async function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(canceled());
  promise.catch(() => undefined);
  work.catch(() => undefined);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
