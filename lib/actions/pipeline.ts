/** Owns `Platform.App.Actions.Pipeline`: a run of the page's own pipeline with the payload of its address. */
import { runPipeline, type FunctionRegistry, type Observer, type Pipeline } from '../pipeline/index.ts';
import { readEnv } from './environment.ts';
import { readPayload } from './payload.ts';

export interface PipelineRunOptions {
  /** Watches the run, and can pause or change it. */
  observer?: Observer;
  /** Aborting ends the run with the code `ABORTED`. */
  signal?: AbortSignal;
}

export interface PipelineApi {
  /** What `run` takes beyond the specification. */
  readonly features: readonly ('observer' | 'signal')[];
  /** Runs `ENV.taskPipeline` with the JSON of the query parameter `payload`. Rejects with a `PipelineError`. */
  run(options?: PipelineRunOptions): Promise<unknown>;
}

/** @param query answers the address's query, such as `?payload={}`, whenever a run starts */
export function createPipeline(functions: FunctionRegistry, query: () => string): PipelineApi {
  return {
    features: Object.freeze(['observer', 'signal'] as const),
    async run({ observer, signal } = {}) {
      const payload = readPayload(query());
      return runPipeline(readEnv()?.taskPipeline as Pipeline, { payload, functions, observer, signal });
    },
  };
}
