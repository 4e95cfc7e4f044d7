/** Implements `Platform.App.Actions.Pipeline`, which runs the page’s pipeline with the payload from the page’s URL. */
import { describeValue, pipelineError } from '../pipeline/errors.ts';
import {
  runPipeline,
  type ConditionSources,
  type FunctionRegistry,
  type Observer,
  type Pipeline,
} from '../pipeline/index.ts';
import { isRecord } from '../shared/objects.ts';
import { readEnv } from './environment.ts';

export interface PipelineRunOptions {
  /** Observes the run, and can pause or modify it. */
  observer?: Observer;
  /** Aborting rejects the run with `ABORTED`. */
  signal?: AbortSignal;
  /** The time and the random numbers of conditions. By default, the system’s. */
  sources?: ConditionSources;
}

export interface PipelineApi {
  /**
   * The options of `run` that aren’t in the specification. `debugger`: the observer can wait and replace steps, and is asked
   * before a failure ends the run. `retry`: it can then also have the step run again.
   */
  readonly features: readonly ('observer' | 'signal' | 'sources' | 'debugger' | 'retry')[];
  /** Runs `ENV.taskPipeline` with the JSON payload in the `payload` query parameter. Rejects with a `PipelineError`. */
  run(options?: PipelineRunOptions): Promise<unknown>;
}

/** @param query returns the URL’s query string, such as `?payload={}`, at the start of a run */
export function createPipeline(functions: FunctionRegistry, query: () => string): PipelineApi {
  return {
    features: Object.freeze(['observer', 'signal', 'sources', 'debugger', 'retry'] as const),
    async run({ observer, signal, sources } = {}) {
      const payload = readPayload(query());
      return runPipeline(readEnv()?.taskPipeline as Pipeline, { payload, functions, observer, signal, sources });
    },
  };
}

/** @throws PipelineError `PAYLOAD_INVALID` unless the `payload` parameter is absent or a JSON object */
export function readPayload(query: string): Record<string, unknown> {
  const text = new URLSearchParams(query).get('payload');
  if (text === null) return {};
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    throw pipelineError('PAYLOAD_INVALID', `The payload isn’t valid JSON: ${message}`, { cause: error });
  }
  if (isRecord(payload)) return payload;
  throw pipelineError('PAYLOAD_INVALID', `The payload must be a JSON object. This one is ${describeValue(payload)}.`);
}
