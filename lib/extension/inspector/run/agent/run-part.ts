/** The run part of the agent: describes the page, runs its pipeline, and reports run events. */
import type { DebuggerSettings, ResumeCommand } from '../../../../debugging/stepper/types.ts';
import type { Result } from '../../../../platform-api/errors.ts';
import { AGENT_PROTOCOL, RUN_PAGE_LEFT } from '../../agent-protocol.ts';
import { writeBatch } from '../../agent/batch.ts';
import { describe } from '../../agent/describe/describe.ts';
import { ownValue } from '../../agent/describe/describe-cursor.ts';
import { createHandles } from '../../agent/handles.ts';
import { JsonText } from '../../agent/json.ts';
import { now, slice } from '../../agent/pristine.ts';
import { attempt, type Fn, includes, readProperty } from '../../agent/safe.ts';
import { documentNavigation, documentState, isSandboxed, loadedUrl, whenLeft } from '../../agent/watch.ts';
import type { AgentStartOptions, Evaluated, LongText, PageState, RemoteValue, RunAgent } from '../../contract.ts';
import { readCommand, readRequest, readSettings } from './debug/panel-data.ts';
import { Texts } from './debug/texts.ts';
import { describeEnv, findEnv, findPlatform, type Found, getFunction, listFunctions } from './platform.ts';
import { setPayload } from './payload-url.ts';
import { PipelineReader } from './pipeline.ts';
import { Registrations } from './registrations.ts';
import { RunLog } from './run-log.ts';
import { rejected, Runner } from './runner.ts';

const EXPANSION = { nodes: 1_000, chars: 60_000, depth: 4 };
const MAX_PIECE = 1_000_000;
const OTHER_DOCUMENT = { ok: false, error: RUN_PAGE_LEFT } as const;
const PAUSE_GONE = rejected('PAUSE_GONE', 'The run isn’t paused there anymore.', 'Check where the run is now.');

/** Methods that report events return JSON text, because the log stores events as text. */
export class RunPart implements Omit<RunAgent, 'start' | 'read'> {
  readonly #documentId: string;
  readonly #log = new RunLog();
  readonly #handles = createHandles();
  readonly #texts = new Texts();
  readonly #pipelineReader = new PipelineReader(this.#handles);
  readonly #registrations = new Registrations({
    onCall: (name, args, call) => this.#runner.call(name, args, call),
    isObserved: (namespace) => isObserved(findPlatform(namespace, this.#handles)),
  });
  readonly #runner = new Runner(this.#log, this.#handles, {
    tracingOf: (found) => this.#tracingOf(found),
    functionOf: (found, name) => this.#functionOf(found, name),
    isWatching: () => this.#registrations.isWatching(),
    otherTypeOf: (name) => this.#registrations.otherTypeOf(name),
    isUnwrapped: ({ functions }, name) =>
      this.#registrations.get(name) === undefined && getFunction(functions, name) !== undefined,
  });
  #pipeline: unknown;
  #pipelineLength: unknown;
  /** The handle of the pipeline that the panel knows. */
  #describedPipeline: number | null = null;
  /** The number of pipelines that `ENV` has had so far. */
  #pipelineCount = 0;

  constructor(documentId: string) {
    this.#documentId = documentId;
    whenLeft(() => this.#runner.leave());
  }

  /** Another agent takes over. */
  retire(): void {
    this.#runner.retire();
  }

  state(namespace: string): PageState {
    const found = findPlatform(namespace, this.#handles);
    const tracing = this.#tracingOf(found);
    const env = findEnv();
    const pipeline = this.#pipelineReader.read(env);
    this.#describedPipeline = pipeline.ok ? pipeline.handle : null;
    return {
      protocol: AGENT_PROTOCOL,
      documentId: this.#documentId,
      url: location.href,
      ready: documentState() === 'complete',
      navigation: documentNavigation(),
      loadedUrl: loadedUrl(),
      isSandboxed: isSandboxed(),
      frames: found.frames,
      platform: found.platform,
      platformDetail: found.detail,
      tracing,
      env: describeEnv(env),
      pipeline,
      functions: this.#functionsOf(found),
      hasActions: found.hasActions === true,
      canTraceAfterReload: tracing === 'bare' && found.functions !== undefined && !this.#registrations.isWatching(),
      run: this.#runner.current(),
      lastSeq: this.#log.lastSeq(),
      fingerprint: this.#fingerprintOf(found),
    };
  }

  start(
    runId: string,
    payload: string,
    namespace: string,
    options: AgentStartOptions = {},
  ): JsonText | ReturnType<RunAgent['start']> {
    // The page can't add options through `Object.prototype`.
    const documentId = ownValue(options, 'documentId');
    const engine = ownValue(options, 'engine') === 'ours' ? 'ours' : 'platform';
    if (documentId !== undefined && documentId !== this.#documentId) return OTHER_DOCUMENT;
    const debug = ownValue(options, 'debug') as AgentStartOptions['debug'];
    const request = readRequest(debug, (id) => this.#texts.take(id));
    if (!request) return OTHER_DOCUMENT;
    const before = this.#log.lastSeq();
    const outcome = this.#runner.start(runId, payload, namespace, engine, request);
    this.#noticeChangedSteps();
    return outcome.ok ? new JsonText(`{"ok":true,"events":${this.#log.read(before, 1).events}}`) : outcome;
  }

  recordBodies(on: boolean): boolean {
    return (this.#runner.recordsBodies = on);
  }

  keepPayload(payload: string): boolean {
    return (attempt(() => setPayload(payload)) ?? null) !== null;
  }

  recording(runId: string): LongText | null {
    return this.#longText(this.#runner.recordingText(runId));
  }

  stop(runId: string): boolean {
    return this.#runner.stop(runId);
  }

  putText(id: string, from: number, piece: string): boolean {
    return this.#texts.put(id, from, piece);
  }

  debug(runId: string, settings: DebuggerSettings): boolean {
    const pauses = this.#runner.pausesOf(runId);
    pauses?.update(readSettings(settings));
    return pauses !== null;
  }

  pause(runId: string): Result<boolean> {
    return this.#runner.pause(runId);
  }

  resume(runId: string, pause: number, command: ResumeCommand): Result<null> {
    return this.#runner.pausesOf(runId)?.resume(pause, readCommand(command)) ?? PAUSE_GONE;
  }

  pausedContext(runId: string, pause: number): LongText | null {
    return this.#longText(this.#runner.pausesOf(runId)?.contextText(pause) ?? null);
  }

  editContext(runId: string, pause: number, textId: string): Result<null> {
    const text = this.#texts.take(textId);
    const pauses = text === undefined ? null : this.#runner.pausesOf(runId);
    return pauses?.editContext(pause, text!) ?? PAUSE_GONE;
  }

  evaluate(runId: string, pause: number, sources: readonly string[]): Evaluated[] | null {
    return this.#runner.pausesOf(runId)?.evaluate(pause, sources) ?? null;
  }

  read(after: number, maxChars: number, namespace: string): JsonText {
    const from = now();
    const isRunning = this.#runner.current() !== null;
    const fingerprint = isRunning ? '' : this.#fingerprintOf(findPlatform(namespace, this.#handles));
    const { events, ...read } = this.#log.read(after, maxChars);
    const batch = { documentId: this.#documentId, ...read, lastSeq: this.#log.lastSeq(), fingerprint };
    const text = writeBatch(events, batch);
    this.#runner.tookToRead(now() - from);
    return text;
  }

  expand(handle: number, from: number, count: number): RemoteValue | null {
    const value = this.#handles.get(handle);
    return typeof value === 'object' || typeof value === 'function'
      ? describe(value, EXPANSION, this.#handles, from, count)
      : null;
  }

  text(handle: number, from: number, length: number): string | null {
    const value = this.#handles.get(handle);
    return typeof value === 'string' ? slice(value, from, from + (length < MAX_PIECE ? length : MAX_PIECE)) : null;
  }

  registeredFunction(namespace: string, name: string): unknown {
    const { functions } = findPlatform(namespace, this.#handles);
    return this.#registrations.unwrap(getFunction(functions, name)) ?? this.#registrations.get(name);
  }

  /** Starts wrapping functions as the page registers them, even if the namespace doesn't exist yet. */
  watch(namespace: string): void {
    this.#registrations.watch(namespace);
  }

  #longText(text: string | null): LongText | null {
    return text === null ? null : { handle: this.#handles.add(text), length: text.length };
  }

  #tracingOf(found: Found): PageState['tracing'] {
    if (isObserved(found)) return 'observed';
    return this.#registrations.count() > 0 ? 'wrapped' : 'bare';
  }

  #functionOf({ functions }: Found, name: string): Fn | undefined {
    const fn = this.#registrations.get(name) ?? this.#registrations.unwrap(getFunction(functions, name));
    return typeof fn === 'function' ? (fn as Fn) : undefined;
  }

  #functionsOf(found: Found): PageState['functions'] {
    const listed = listFunctions(found.functions);
    return listed && listed.length > 0 ? listed : this.#registrations.list();
  }

  #fingerprintOf(found: Found): string {
    const { platform, detail = '', hasActions = false, frames } = found;
    const functions = this.#functionsOf(found).length;
    const framed = frames ? `${frames.withNamespace} ${frames.unchecked}` : '';
    return `${documentState()} ${platform} ${detail} ${framed} ${this.#tracingOf(found)} ${functions} ${hasActions} ${this.#countPipelines()}`;
  }

  #countPipelines(): number {
    const pipeline = readProperty(findEnv(), 'taskPipeline');
    const length = typeof pipeline === 'object' ? readProperty(pipeline, 'length') : 0;
    if (pipeline !== this.#pipeline || length !== this.#pipelineLength) this.#pipelineCount++;
    this.#pipeline = pipeline;
    this.#pipelineLength = length;
    return this.#pipelineCount;
  }

  /** Has the panel read the pipeline of a run whose steps the page has changed in place. */
  #noticeChangedSteps(): void {
    const pipeline = this.#pipelineReader.read(findEnv());
    if (pipeline.ok && pipeline.handle !== this.#describedPipeline) this.#pipelineCount++;
  }
}

function isObserved({ run }: Found): boolean {
  return run !== undefined && includes(run.features, 'observer');
}
