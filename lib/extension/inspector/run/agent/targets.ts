/** What a run starts: the pipeline of the platform’s runtime, or the same pipeline with our engine. */
import type { ConditionSources, Observer, PipelineFunction } from '../../../../pipeline/index.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { cut } from '../../agent/describe/describe-cursor.ts';
import { Abort, apply } from '../../agent/pristine.ts';
import { includes } from '../../agent/safe.ts';
import type { Engine, PageState } from '../../contract.ts';
import { missingPackages, runWithEngine } from './engine.ts';
import { findSteps } from './pipeline.ts';
import type { Found } from './platform.ts';

/** What the observer of a run sees and can do. */
export interface Abilities {
  tracing: PageState['tracing'];
  /** Whether the observer can wait and replace steps. */
  isDebuggable: boolean;
  /** Whether the observer can have a failed step run again. */
  canRetry: boolean;
}

export const engineAbilities: Abilities = { tracing: 'observed', isDebuggable: true, canRetry: true };

export const platformAbilities = (
  { features }: NonNullable<Found['run']>,
  tracing: PageState['tracing'],
): Abilities => {
  const isDebuggable = tracing === 'observed' && includes(features, 'debugger');
  return { tracing, isDebuggable, canRetry: isDebuggable && includes(features, 'retry') };
};

export interface Target extends Abilities {
  engine: Engine;
  /** Null if the runtime can’t be stopped. */
  controller: AbortController | null;
  execute(observer: Observer, sources?: ConditionSources): unknown;
}

/** The page’s own `Pipeline.run()`. */
export function platformTarget(run: NonNullable<Found['run']>, tracing: Target['tracing']): Target {
  const { fn, self, features } = run;
  const controller = includes(features, 'signal') ? new Abort() : null;
  return {
    engine: 'platform',
    ...platformAbilities(run, tracing),
    controller,
    execute(observer, sources) {
      const options: Record<string, unknown> = {};
      if (tracing === 'observed') options.observer = observer;
      if (tracing === 'observed' && sources) options.sources = sources;
      if (controller) options.signal = controller.signal;
      return apply(fn, self, tracing === 'observed' || controller ? [options] : []);
    },
  };
}

export interface EngineSource {
  env: object | null;
  payload: object;
  functionOf: (name: string) => PipelineFunction | undefined;
  /** Whether functions have been watched since before the page could register any. */
  isWatching: boolean;
  otherTypeOf: (name: string) => string | undefined;
}

export function engineTarget(source: EngineSource): { ok: true; target: Target } | { ok: false; error: ErrorValue } {
  const { env, payload, functionOf } = source;
  const found = findSteps(env);
  if (!found.ok) return found;
  const { steps } = found;
  const missing = missingPackages(steps, functionOf);
  if (missing.length > 0) return { ok: false, error: functionsMissing(missing, source) };
  const controller = new Abort();
  return {
    ok: true,
    target: {
      engine: 'ours',
      ...engineAbilities,
      controller,
      execute: (observer, sources) => runWithEngine({ steps, payload, functionOf, observer, sources, controller }),
    },
  };
}

function functionsMissing(names: string[], { isWatching, otherTypeOf }: EngineSource): ErrorValue {
  for (let i = 0; i < names.length; i++) {
    const type = otherTypeOf(names[i]!);
    if (type !== undefined) return notAFunction(names[i]!, type);
  }
  const others = names.length > 1 ? ` and ${names.length - 1} more` : '';
  const cause = isWatching
    ? `the panel hasn’t seen the page register ${cut(names[0]!, 300)}${others}.`
    : `${cut(names[0]!, 300)}${others} may have been registered before the panel could watch.`;
  return {
    code: 'FUNCTIONS_MISSING',
    message: `Couldn’t run the pipeline with our engine: ${cause} Nothing was run.`,
    hint: isWatching
      ? 'Wait until the page has registered its functions, or check the script of this function.'
      : 'Reload the page with tracing, then run the action again.',
  };
}

/** Only the page's runtime knows how to call it. */
const notAFunction = (name: string, type: string): ErrorValue => ({
  code: 'FUNCTIONS_MISSING',
  message:
    `Couldn’t run the pipeline with our engine: the page registered ${cut(name, 300)} as ` +
    `${type === 'object' ? 'an object' : type}, and only its own runtime knows how to call that. Nothing was run.`,
  hint: 'Choose Platform’s runtime, then run the action again.',
});
