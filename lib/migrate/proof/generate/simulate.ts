/** Runs a pipeline in V2’s engine with given outcomes: no package’s code, no network, and no time. */
import type { RecordedStep, Recording } from '../../../debugging/recording/format.ts';
import { RunRecorder } from '../../../debugging/recording/recorder.ts';
import { readValue } from '../../../debugging/recording/values.ts';
import { applyChanges } from '../../../debugging/replay/apply-changes.ts';
import { callComputed, isComputed } from '../../../debugging/replay/inputs/own-packages.ts';
import { errorOf } from '../../../debugging/replay/recorded-steps.ts';
import {
  compileCondition,
  type Context,
  fill,
  type FunctionRegistry,
  type PipelineStep,
  runPipeline,
} from '../../../pipeline/index.ts';
import { Random } from './random.ts';

/** What a step does whose package isn’t known: a recorded step’s outcome, or values that it puts into the context. */
export type Outcome =
  | { step: RecordedStep }
  | { values: Context }
  | { skip: true }
  | { error: string }
  | { returns: unknown };

export interface Inputs {
  payload: Context;
  /** By path: the outcome of each call. The last is also that of all further calls. */
  outcomes: ReadonlyMap<string, readonly Outcome[]>;
}

const PACKAGE = 'com.platform.function.';
const STARTED = '2026-01-01T00:00:00.000Z';
/** Characters of a recording. A longer one is no good example. */
const LIMIT = 1_000_000;

/**
 * @param maxSteps after which the run is stopped
 * @returns null if the run couldn’t have been like this: its inputs don’t fit the steps
 */
export async function simulate(
  pipeline: readonly PipelineStep[],
  { payload, outcomes }: Inputs,
  maxSteps: number,
): Promise<Recording | null> {
  const random = new Random(1);
  let time = Date.parse(STARTED);
  const sources = { now: () => (time += 1_000), random: () => random.next() };
  const recorder = new RunRecorder({ pipeline, payload, engine: 'ours', limit: LIMIT, now: () => 0, sources });
  const packages = new Packages(outcomes);
  const stop = new AbortController();
  let steps = 0;
  const end = await runPipeline(pipeline, {
    payload: structuredClone(payload),
    functions: { get: (name: string) => packages.get(name), has: () => true } as unknown as FunctionRegistry,
    sources: recorder.sources,
    signal: stop.signal,
    observer: {
      before: (info) => {
        if (++steps > maxSteps) stop.abort();
        packages.path = info.path;
        return recorder.observer.before?.(info);
      },
      after: (info, outcome) => recorder.observer.after?.(info, outcome),
    },
  }).then(
    (result) => ({ result }),
    (error: unknown) => (stop.signal.aborted ? { stopped: true as const } : { error }),
  );
  const recording = recorder.finish(end);
  if (packages.isMisfit || recording.lost > 0) return null;
  return { ...recording, startedAt: STARTED };
}

type Settings = Readonly<Record<string, unknown>>;
type Fill = (value: unknown, escape?: 'html') => unknown;
type Simulated = (settings: Settings, context: Context, filled: Fill) => unknown;

/** Packages that the pipeline calls. What the platform’s do is known, apart from what they find outside. */
class Packages {
  /** The step that is running. */
  path = '';
  isMisfit = false;
  readonly #outcomes: Inputs['outcomes'];
  readonly #calls = new Map<string, number>();

  constructor(outcomes: Inputs['outcomes']) {
    this.#outcomes = outcomes;
  }

  get(name: string) {
    const sending = SENDING.get(name);
    return (settings: Settings, context: Context): unknown => {
      if (isComputed(name)) return callComputed(name, settings, context);
      const filled: Fill = (value, escape) => fill(value, (source) => compileCondition(source)(context), { escape });
      if (sending) return sending(settings, context, filled);
      if (name === `${PACKAGE}read-datasource`) this.#checkQuery(settings, filled);
      if (name === `${PACKAGE}http-request`) this.#checkRequest(settings, filled);
      return this.#outcome(name, context);
    };
  }

  /** Evaluates the settings, which can fail. */
  #checkQuery({ dataSourceId, dataSource, where }: Settings, filled: Fill): void {
    const id = dataSourceId ?? dataSource;
    if (typeof id !== 'string' && !Number.isInteger(id)) this.isMisfit = true;
    void filled(where);
  }

  #checkRequest(settings: Settings, filled: Fill): void {
    const { url, method = 'GET', headers = {} } = filled({ ...settings }) as Settings;
    const isValid = typeof url === 'string' && typeof method === 'string' && /^[a-z]{1,20}$/i.test(method);
    try {
      if (!isValid) throw new TypeError('Not a request.');
      void [new URL(url, 'https://platform.example'), new Headers(headers as HeadersInit)];
    } catch {
      this.isMisfit = true;
    }
  }

  #outcome(name: string, context: Context): unknown {
    const outcomes = this.#outcomes.get(this.path) ?? DEFAULTS.get(name) ?? [];
    const call = this.#calls.get(this.path) ?? 0;
    this.#calls.set(this.path, call + 1);
    const outcome = outcomes[Math.min(call, outcomes.length - 1)];
    if (!outcome) return undefined;
    if ('skip' in outcome) return Promise.reject();
    if ('error' in outcome) return Promise.reject(new Error(outcome.error));
    if ('returns' in outcome) return outcome.returns;
    if ('values' in outcome) return void Object.assign(context, structuredClone(outcome.values));
    return this.#recorded(outcome.step, context);
  }

  #recorded({ changes = [], error, state, value }: RecordedStep, context: Context): unknown {
    if (applyChanges(context, changes) !== null) this.isMisfit = true;
    if (state === 'skipped') return Promise.reject();
    if (error) throw errorOf(error);
    try {
      return value === undefined ? undefined : readValue(value);
    } catch {
      this.isMisfit = true;
      return undefined;
    }
  }
}

/** Outcomes of the platform’s packages that find something outside. */
const DEFAULTS: ReadonlyMap<string, readonly Outcome[]> = new Map([
  [`${PACKAGE}read-datasource`, [{ values: { records: [] } }]],
  [
    `${PACKAGE}http-request`,
    [{ values: { response: { status: 200, headers: { 'content-type': 'text/plain' }, body: '' } } }],
  ],
]);

function messageOf(kind: string, values: Record<string, unknown>): void {
  for (const [setting, value] of Object.entries(values))
    if (typeof value !== 'string') throw new TypeError(`send-${kind}: the setting "${setting}" must be a string.`);
}

/** The platform’s packages that send something, as they are in V2, without sending it. */
const SENDING: ReadonlyMap<string, Simulated> = new Map<string, Simulated>(
  (
    [
      [
        'send-email',
        async ({ to, subject, html }, _, filled) =>
          messageOf('email', { to: filled(to), subject: filled(subject), html: filled(html, 'html') }),
      ],
      [
        'send-notification',
        async ({ title, message }, _, filled) =>
          messageOf('notification', { title: filled(title), message: filled(message) }),
      ],
      [
        'write-datasource',
        async ({ dataSourceId, entries }, _, filled) => {
          if (!Number.isInteger(dataSourceId))
            throw new TypeError('write-datasource: the setting "dataSourceId" must be an integer.');
          if (!Array.isArray(filled(entries)))
            throw new TypeError('write-datasource: the setting "entries" must be an array of objects.');
        },
      ],
    ] satisfies [string, Simulated][]
  ).map(([name, run]) => [`${PACKAGE}${name}`, run]),
);
