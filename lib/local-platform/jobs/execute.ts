/** Turns a queued run into the runner’s input: scripts, `ENV` with the run’s token, and screen. */
import type { Database } from '../db/database.ts';
import { and, eq } from '../db/drizzle.ts';
import { apps, screens } from '../db/schema.ts';
import type { ReadCatalogue } from '../functions/catalogue.ts';
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
  /** Whether runs are recorded at all. */
  records: boolean;
  /** What no recording contains, beside the run’s token. */
  secrets: readonly string[];
}

export function createExecute({ db, runner, catalogue, baseUrl, runToken, time, records, secrets }: ExecuteOptions) {
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
    const { appId, actionId, copy, depth, payload, pipeline, pageId } = run;
    const isScreen = pageId !== null && pipeline.length === 0;
    try {
      const [packages, organizationId, screen] = await Promise.all([
        catalogue(),
        organizationOf(appId),
        isScreen ? screenScripts(db, run, pageId) : [],
      ]);
      const scripts = [...packages.values()].map((each) => ({
        name: `functions/${each.package}.js`,
        source: each.source,
      }));
      const token = runToken(appId, copy, depth, time + 60_000);
      const env = {
        appId,
        taskId: actionId,
        organizationId,
        mode: copy === 'working' ? 'preview' : 'live',
        taskPipeline: pipeline,
        token,
      };
      const recording = records && !isScreen ? modeOf(run) : 'never';
      const order: RunOrder = {
        baseUrl: baseUrl(),
        env,
        payload,
        scripts: [...scripts, ...screen],
        screen: isScreen,
        recording,
        ...(run.mocks?.length && { mocks: run.mocks }),
      };
      const { recording: sent, ...report } = await runner.run(order, signal);
      if (sent) return { ...report, recording: await prepareRecording(sent, run, [token, ...secrets]) };
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

const SCREEN = { missing: MISSING.screen };

const modeOf = ({ record }: RunRequest): RecordingMode => (record ? 'always' : 'failed');

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
