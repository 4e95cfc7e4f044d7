/** Owns the agent's place in the document: one per document and protocol, out of the page's sight. */
import { AGENT_KEY, AGENT_PROTOCOL, type Agent, type AgentPort, type PageState } from '../contract.ts';
import { describe } from './describe.ts';
import { createHandles } from './handles.ts';
import { write } from './json.ts';
import { createLog } from '../run/agent/run-log.ts';
import {
  createPipelineReader,
  describeEnv,
  findEnv,
  findPlatform,
  type Found,
  getFunction,
  listFunctions,
} from '../run/agent/platform.ts';
import { apply, defineProperty, freeze, random, slice, wallClock } from './pristine.ts';
import { createRegistrations, documentState } from './registrations.ts';
import { createRunner } from '../run/agent/runner.ts';
import { createTracker } from '../run/agent/analytics.ts';

const EXPANSION = { nodes: 1_000, chars: 60_000, depth: 4 };
const LONGEST_PIECE = 1_000_000;

/** Installs the agent, unless the document has one that speaks the same protocol. */
export function installAgent(): void {
  const there = (globalThis as unknown as Record<string, AgentPort | undefined>)[AGENT_KEY];
  if (there?.protocol === AGENT_PROTOCOL) return;
  defineProperty(globalThis, AGENT_KEY, {
    __proto__: null,
    value: createAgent(),
    writable: false,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}

/** An answer that is JSON text already. */
class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function createAgent(): AgentPort {
  const documentId = `${wallClock()}-${slice(`${random()}`, 2)}`;
  const log = createLog();
  const handles = createHandles();
  const readPipeline = createPipelineReader(handles);
  const registrations = createRegistrations((name, args, go) => runner.call(name, args, go));
  const runner = createRunner(log, handles, tracingOf);
  const tracker = createTracker(handles);
  let env: object | null = null;
  let pipeline: unknown;
  let pipelines = 0;

  function tracingOf(found: Found): PageState['tracing'] {
    const features = found.run?.features ?? [];
    for (let i = 0; i < features.length; i++) if (features[i] === 'observer') return 'observed';
    return registrations.count() > 0 ? 'wrapped' : 'bare';
  }
  function functionsOf(found: Found): PageState['functions'] {
    return listFunctions(found.functions) ?? registrations.list();
  }
  /** Counts up whenever `ENV` holds another pipeline. */
  function pipelineNumber(): number {
    let value: unknown;
    try {
      env = findEnv();
      value = env && (env as { taskPipeline?: unknown }).taskPipeline;
    } catch {
      value = undefined;
    }
    if (value !== pipeline) pipelines++;
    pipeline = value;
    return pipelines;
  }
  function lookOf(found: Found): string {
    return `${documentState()} ${found.platform} ${found.detail ?? ''} ${tracingOf(found)} ${functionsOf(found).length} ${pipelineNumber()}`;
  }

  const agent: { [M in keyof Agent]: (...args: Parameters<Agent[M]>) => unknown } = {
    state(namespace): PageState {
      const found = findPlatform(namespace, handles);
      const tracing = tracingOf(found);
      env = findEnv();
      return {
        protocol: AGENT_PROTOCOL,
        documentId,
        url: location.href,
        ready: documentState() === 'complete',
        platform: found.platform,
        platformDetail: found.detail,
        tracing,
        env: describeEnv(env),
        pipeline: readPipeline(env),
        functions: functionsOf(found),
        canTraceAfterReload: tracing === 'bare' && found.functions !== undefined,
        run: runner.current(),
        last: log.last(),
        look: lookOf(found),
      };
    },
    start(runId, payload, namespace) {
      const before = log.last();
      const answer = runner.start(runId, payload, namespace);
      return answer.ok ? new Written(`{"ok":true,"events":${log.read(before, 1).events}}`) : answer;
    },
    stop: (runId) => runner.stop(runId),
    read(after, bytes, namespace) {
      const { events, dropped } = log.read(after, bytes);
      const found = runner.current() ? null : findPlatform(namespace, handles);
      // The events are JSON text already.
      return new Written(
        `{"events":${events},${slice(write({ documentId, last: log.last(), dropped, look: found ? lookOf(found) : '' }), 1)}`,
      );
    },
    track: tracker.track,
    tracked: tracker.tracked,
    expand(handle, from, count) {
      const value = handles.get(handle);
      return typeof value === 'object' || typeof value === 'function'
        ? describe(value, EXPANSION, handles, from, count)
        : null;
    },
    text(handle, from, length) {
      const value = handles.get(handle);
      return typeof value === 'string'
        ? slice(value, from, from + (length < LONGEST_PIECE ? length : LONGEST_PIECE))
        : null;
    },
  };

  return freeze({
    protocol: AGENT_PROTOCOL,
    call(method: keyof Agent, args: readonly unknown[]): string {
      const answer: unknown = apply(agent[method] as (...given: unknown[]) => unknown, agent, args);
      return answer instanceof Written ? answer.text : write(answer);
    },
    registered: (namespace: string, name: string) =>
      registrations.unwrap(getFunction(findPlatform(namespace, handles).functions, name)) ?? registrations.get(name),
    watchRegistrations: (namespace: string) => registrations.watch(namespace),
  });
}
