/** Implements `Platform.Functions`: registers function packages and evaluates conditions for them. */
import { compileCondition, fill, type FillOptions, type PipelineFunction, toText } from '../pipeline/index.ts';

type Condition = ReturnType<typeof compileCondition>;

const MAX_COMPILED = 500;

export interface FunctionsApi {
  /** Registers `fn(settings, context)` under the name of its package, replacing any earlier registration. */
  register(name: string, fn: PipelineFunction): void;
  get(name: string): PipelineFunction | undefined;
  /** All packages, each with the URL of the script that registered it, or null if the URL is unknown. */
  list(): { name: string; url: string | null }[];
  /**
   * Compiles an expression to a function of the context, and caches it.
   * @throws ConditionError with the column of the error
   */
  compileCondition(source: string): Condition;
  /** Returns a copy of a setting in which each `{{expression}}` is replaced with its value. */
  fill(value: unknown, context: Record<string, unknown>, options?: FillOptions): unknown;
  /** A value as text, as `fill` writes it into a longer text. */
  text(value: unknown): string;
}

/** @param currentScript returns the URL of the running script */
export function createFunctions(currentScript: () => string | null): {
  api: FunctionsApi;
  registry: ReadonlyMap<string, PipelineFunction>;
} {
  const registry = new Map<string, PipelineFunction>();
  const urls = new Map<string, string | null>();
  const compiled = new Map<string, Condition>();

  function compile(source: string): Condition {
    const cached = compiled.get(source);
    if (cached) return cached;
    const condition = compileCondition(source);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(source, condition);
    return condition;
  }

  const api: FunctionsApi = {
    register(name, fn) {
      if (typeof name !== 'string' || name === '')
        throw new TypeError('Functions.register: the first argument must be the name of the package.');
      if (typeof fn !== 'function')
        throw new TypeError(`Functions.register: the second argument for ${name} must be a function.`);
      registry.set(name, fn);
      urls.set(name, currentScript());
    },
    get: (name) => registry.get(name),
    list: () => [...registry.keys()].map((name) => ({ name, url: urls.get(name) ?? null })),
    compileCondition: compile,
    fill: (value, context, options) => fill(value, (source) => compile(source)(context), options),
    text: toText,
  };
  return { api, registry };
}
