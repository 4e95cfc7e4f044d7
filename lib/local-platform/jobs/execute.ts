/** Turns a queued run into the runner’s input: scripts, `ENV` with the run’s token, and screen. */
import { V3_PROFILES } from '../../platform-api/actions-v3/profiles.ts';
import { codeScript } from '../../platform-api/actions-v3/script.ts';
import type { Database } from '../db/database.ts';
import { and, eq } from '../db/drizzle.ts';
import { apps, screens } from '../db/schema.ts';
import type { FunctionPackage, ReadCatalogue } from '../functions/catalogue.ts';
import { prepareRecording } from '../recordings/prepare.ts';
import type { RecordingMode, Runner, RunOrder } from '../runner/index.ts';
import { MISSING } from '../runner/recording.ts';
import type { ExecutedRun } from './index.ts';
import type { RunRequest } from './types.ts';

export interface ExecuteOptions {
  db: Database;
  runner: Runner;
  catalogue: ReadCatalogue;
  /** The platform’s URL with a trailing slash. */
  baseUrl: () => string;
  /** A token for the API, limited to one app and `lifetime` milliseconds. */
  runToken: (appId: number, copy: RunRequest['copy'], depth: number, lifetime: number) => string;
  /** Time limit for a run, in milliseconds. */
  time: number;
  /** Whether the platform’s clock is virtual. Then it’s also the clock of runs. */
  isVirtual?: boolean;
  /** Makes what is random the same in each run. */
  seed?: number | undefined;
  /** Whether runs are recorded at all. */
  records: boolean;
  /** What no recording contains, beside the run’s token. */
  secrets: readonly string[];
}

export function createExecute({ db, runner, catalogue, baseUrl, runToken, time, records, ...options }: ExecuteOptions) {
  /** A cache that never expires: an app’s organization doesn’t change. */
  const organizations = new Map<number, number>();

  async function organizationOf(appId: number): Promise<number | null> {
    const known = organizations.get(appId);
    if (known !== undefined) return known;
    const [app] = await db.select({ organizationId: apps.organizationId }).from(apps).where(eq(apps.id, appId));
    if (!app) return null;
    organizations.set(appId, app.organizationId);
    return app.organizationId;
  }

  return async (run: RunRequest & { runId: string }, signal: AbortSignal): Promise<ExecutedRun> => {
    const { appId, actionId, copy, depth, payload, pipeline, pageId, v3 } = run;
    const isScreen = pageId !== null && pipeline.length === 0;
    try {
      const [packages, organizationId, screen] = await Promise.all([
        catalogue(),
        organizationOf(appId),
        isScreen ? screenScripts(db, run, pageId) : [],
      ]);
      const token = runToken(appId, copy, depth, time + 60_000);
      const env = {
        appId,
        taskId: actionId,
        organizationId,
        mode: copy === 'working' ? 'preview' : 'live',
        taskPipeline: pipeline,
        token,
      };
      const recording = records ? modeOf(run, isScreen) : 'never';
      const order: RunOrder = {
        baseUrl: baseUrl(),
        env,
        payload,
        scripts: [...functionScripts(packages.values(), v3), ...screen],
        screen: isScreen,
        recording,
        ...fixedOf(run, options),
        ...(run.mocks?.length && { mocks: run.mocks }),
        ...(v3 && codeOf(run, v3)),
      };
      const { recording: sent, ...report } = await runner.run(order, signal);
      if (sent) return { ...report, recording: await prepareRecording(sent, run, [token, ...options.secrets]) };
      return records && isScreen && report.outcome.state === 'failed' ? { ...report, recording: SCREEN } : report;
    } catch (error) {
      const failure = {
        errorType: 'Error',
        errorMessage: error instanceof Error ? error.message : 'Couldn’t prepare the run.',
        trace: [],
      };
      return { outcome: { state: 'failed', code: 'ACTION_FAILED', failure, milliseconds: 0 }, console: [] };
    }
  };
}

/** The time and what is random, where they are fixed. */
const fixedOf = (
  { firedAt }: RunRequest,
  { isVirtual, seed }: Pick<ExecuteOptions, 'isVirtual' | 'seed'>,
): Pick<RunOrder, 'time' | 'seed'> => ({
  ...(isVirtual && firedAt !== undefined && { time: Date.parse(firedAt) }),
  ...(seed !== undefined && { seed }),
});

/** The function packages that the run uses. V3 code names them. */
const functionScripts = (packages: Iterable<FunctionPackage>, v3: RunRequest['v3']): RunOrder['scripts'] =>
  [...packages]
    .filter((each) => !v3 || v3.dependencies.includes(each.package))
    .map((each) => ({ name: `functions/${each.package}.js`, source: each.source }));

/** The code’s script, and the limits of its profile. */
const codeOf = (
  { appId, actionId }: RunRequest,
  { code, profile }: NonNullable<RunRequest['v3']>,
): Pick<RunOrder, 'code' | 'limits'> => ({
  code: { name: `v3/apps/${appId}/actions/${actionId}/code.js`, source: codeScript(code) },
  limits: { time: V3_PROFILES[profile].time.server, result: V3_PROFILES[profile].result },
});

const SCREEN = { missing: MISSING.screen };

/** Screens and V3 code have no steps to record. */
const modeOf = ({ record, v3 }: RunRequest, isScreen: boolean): RecordingMode =>
  isScreen || v3 ? 'never' : record ? 'always' : 'failed';

/** Loads only the screen’s scripts, not its styles and images. */
async function screenScripts(
  db: Database,
  { appId, copy }: RunRequest,
  pageId: number,
): Promise<{ name: string; source: string }[]> {
  const [screen] = await db
    .select()
    .from(screens)
    .where(and(eq(screens.id, pageId), eq(screens.appId, appId)));
  const assets = (copy === 'published' ? screen?.published : screen?.assets) ?? null;
  if (!assets)
    throw new Error(
      screen
        ? `Screen ${pageId} isn’t published. Publish the app.`
        : `The app has no screen ${pageId}. Correct the action’s pageId.`,
    );
  return assets
    .filter(({ kind }) => kind === 'script')
    .map(({ name, source }) => ({ name: `screens/${pageId}/${name}`, source }));
}
