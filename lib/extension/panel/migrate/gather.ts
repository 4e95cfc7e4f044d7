/** Collects what a migration and its proof need of an action: recorded runs, packages, and data sources. */
import type { Recording } from '../../../debugging/recording/format.ts';
import type { Action } from '../../../platform-api/action.ts';
import { toErrorValue } from '../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { whyOtherRevision } from '../../../migrate/proof/aside.ts';
import type { Pipeline, PipelineStep } from '../../../pipeline/types.ts';
import { lateModule } from '../shared/late-module.ts';
import type { RunRecord } from '../run/history/run-store.ts';
import { isPageOfApp } from '../shell/page/page-of-app.ts';
import type { Panel } from '../shell/panel.ts';
import { packageSource } from './package-source.ts';

/** A run that the code is compared with. */
export interface GatheredRun {
  label: string;
  /** Of the stored run. Null for a run of the platform’s server that was never opened. */
  record: RunRecord | null;
  recording: Recording;
}

/** A run that can’t be compared. `reason` is a sentence. */
export interface LabeledAside {
  label: string;
  reason: string;
}

export interface Gathered {
  runs: readonly GatheredRun[];
  aside: readonly LabeledAside[];
  /** Which runs couldn't be listed, and why, as sentences. Null if all were. */
  runsError: string | null;
  /** Source code of packages that aren’t the platform’s own, by name. */
  sources: ReadonlyMap<string, string>;
  /** Packages whose source isn’t known, and why. */
  unknownPackages: readonly { name: string; reason: string }[];
  /** IDs by name. */
  dataSources: ReadonlyMap<string, number>;
  /** Why the IDs aren’t known. */
  dataSourcesError: ErrorValue | null;
}

type GatherPanel = Pick<Panel, 'services' | 'recordingsOf' | 'subjectOfAction' | 'catalog' | 'page' | 'runs'>;

/** Beyond these, the oldest runs aren’t compared. Bytes are those of the disk, which are compressed. */
const RUNS = 50;
const BYTES = 16 * 1024 * 1024;
const SERVER_RUNS = 20;

/** How the names of the platform’s own packages start. */
const OWN = 'com.platform.function.';

/** Replays and the like repeat what another run has recorded. */
const MADE: ReadonlySet<unknown> = new Set(['replay', 'what-if', 'smallest', 'v3']);

/** Of the selected app. Never rejects. */
export class Gatherer {
  readonly #panel: GatherPanel;
  #dataSources: Promise<Pick<Gathered, 'dataSources' | 'dataSourcesError'>> | null = null;

  constructor(panel: GatherPanel) {
    this.#panel = panel;
  }

  async of(action: Action): Promise<Gathered> {
    const [runs, packages, dataSources] = await Promise.all([
      this.runs(action),
      this.packages(action),
      this.dataSources(),
    ]);
    return { ...runs, ...packages, ...dataSources };
  }

  /** Loaded once, unless that fails. */
  dataSources(): Promise<Pick<Gathered, 'dataSources' | 'dataSourcesError'>> {
    this.#dataSources ??= this.#loadDataSources().then((loaded) => {
      // A later migration asks again.
      if (loaded.dataSourcesError) this.#dataSources = null;
      return loaded;
    });
    return this.#dataSources;
  }

  async #loadDataSources(): Promise<Pick<Gathered, 'dataSources' | 'dataSourcesError'>> {
    const response = await this.#panel.catalog.backend.peek()?.dataSources();
    if (!response?.ok) return { dataSources: new Map(), dataSourcesError: response?.error ?? null };
    const ids = new Map<string, number>();
    const repeated = new Set<string>();
    for (const { name, id } of response.value) {
      if (ids.has(name)) repeated.add(name);
      ids.set(name, id);
    }
    // Which of them V2 would read isn’t known.
    for (const name of repeated) ids.delete(name);
    return { dataSources: ids, dataSourcesError: null };
  }

  /** The users’ packages of the action, as far as the inspected page has registered them. */
  async packages({ appId, functions }: Action): Promise<Pick<Gathered, 'sources' | 'unknownPackages'>> {
    const sources = new Map<string, string>();
    const unknownPackages: { name: string; reason: string }[] = [];
    for (const name of packagesIn(functions as Pipeline)) {
      if (name.startsWith(OWN)) continue;
      const found = await this.#package(name, appId);
      if ('source' in found) sources.set(name, found.source);
      else unknownPackages.push({ name, ...found });
    }
    return { sources, unknownPackages };
  }

  async #package(name: string, appId: number): Promise<ReturnType<typeof packageSource>> {
    if (!this.#isPageOf(appId)) return { reason: 'the tab has no page of the app' };
    const response = await this.#panel.services.inspector.functionSource(name);
    if (!response.ok) return { reason: `it couldn’t be read: ${response.error.message}` };
    return response.value === null ? { reason: 'the page doesn’t have it' } : packageSource(name, response.value);
  }

  /** Another page, or one of another app, can have any function under the same name. */
  #isPageOf(appId: number): boolean {
    const { page, catalog } = this.#panel;
    const environmentId = catalog.environment.peek()?.id ?? '';
    return isPageOfApp({ page, catalog }, { environmentId, appId }, page.state.peek()?.url ?? '');
  }

  async runs(action: Action): Promise<Pick<Gathered, 'runs' | 'aside' | 'runsError'>> {
    const runs: GatheredRun[] = [];
    const aside: LabeledAside[] = [];
    const errors: string[] = [];
    const add = (run: GatheredRun): void => {
      const reason = whyAside(run.recording, action);
      if (reason === null) runs.push(run);
      else aside.push({ label: run.label, reason });
    };
    for await (const found of this.#stored(action, errors))
      if ('recording' in found) add(found);
      else aside.push(found);
    const known = new Set(runs.map(({ recording }) => recording.startedAt));
    for (const found of await this.#onServer(action, errors)) {
      if (!('recording' in found)) aside.push(found);
      else if (!known.has(found.recording.startedAt)) add(found);
    }
    return { runs, aside, runsError: errors.length > 0 ? errors.join(' ') : null };
  }

  async *#stored({ id }: Action, errors: string[]): AsyncGenerator<GatheredRun | LabeledAside> {
    const { services, recordingsOf, runs } = this.#panel;
    const subject = this.#panel.subjectOfAction(id);
    // The recording of a run that has just ended is still being stored.
    await runs.captured();
    const stored =
      subject === null
        ? []
        : await services.store.list(subject).catch((thrown: unknown) => {
            errors.push(`Couldn’t read the stored runs: ${toErrorValue(thrown).message}`);
            return [];
          });
    let [count, bytes] = [0, 0];
    for (const record of stored) {
      if (record.state === 'running' || MADE.has(record.origin)) continue;
      const label = `Run ${record.number}`;
      count++;
      bytes += record.recording?.size ?? 0;
      if (count > RUNS || (bytes > BYTES && count > 1)) yield { label, reason: 'There are enough newer runs.' };
      else {
        const recording = await recordingsOf.of(record);
        yield recording ? { label, record, recording } : { label, reason: whyMissing(record) };
      }
    }
  }

  /** Runs that the platform has recorded. Not every platform can. */
  async #onServer({ id, appId }: Action, errors: string[]): Promise<(GatheredRun | LabeledAside)[]> {
    const { catalog, services } = this.#panel;
    const [backend, environment] = [catalog.backend.peek(), catalog.environment.peek()];
    if (backend?.way !== 'rest' || !environment) return [];
    const logs = await backend.logs({ id, limit: SERVER_RUNS });
    if (!logs.ok) errors.push(`Couldn’t read the platform’s log of runs: ${logs.error.message}`);
    const recorded = logs.ok ? logs.value.logs.filter(({ hasRecording }) => hasRecording) : [];
    if (recorded.length === 0) return [];
    const { parseRecording } = await lateModule(import('../../../debugging/recording/file/parse.ts'));
    const runs: (GatheredRun | LabeledAside)[] = [];
    for (const { id: logId } of recorded) {
      const response = await services.send('logs.recording', { environmentId: environment.id, appId, logId });
      const parsed = response.ok ? parseRecording(response.value.text) : null;
      const label = `Log record ${logId}`;
      if (parsed?.ok) runs.push({ label, record: null, recording: parsed.value });
      else runs.push({ label, reason: `Its recording couldn’t be ${parsed ? 'read' : 'loaded'}.` });
    }
    return runs;
  }
}

function whyMissing({ recordingProblem, thinned }: RunRecord): string {
  if (recordingProblem === 'too-large') return 'The recording was too large to be stored.';
  return thinned ? 'The recording was removed to save space.' : 'The run has no recording.';
}

function whyAside(recording: Recording, { functions }: Action): string | null {
  if (recording.end.state === 'interrupted') return 'The run was interrupted.';
  if (recording.steps.length === 0 && functions.length > 0) return 'The run has no steps.';
  return whyOtherRevision(recording, functions as Pipeline)?.reason ?? null;
}

function packagesIn(pipeline: Pipeline): Set<string> {
  const names = new Set<string>();
  const open: unknown[] = [pipeline];
  while (open.length > 0) {
    const steps = open.pop();
    if (!Array.isArray(steps)) continue;
    for (const step of steps as (Partial<PipelineStep> | null)[]) {
      const name = step?.functionPackage ?? step?.function;
      if (typeof name === 'string') names.add(name);
      open.push(step?.elseFunctions, step?.functions);
      if (Array.isArray(step?.conditions)) for (const block of step.conditions) open.push(block?.functions);
    }
  }
  return names;
}
