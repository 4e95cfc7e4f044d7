/** Owns `Platform.Functions`: the registered packages, and the condition language as functions use it. */
import { compileCondition, type PipelineFunction } from '../pipeline/index.ts';
import { fill, type FillOptions } from './fill.ts';

type Condition = ReturnType<typeof compileCondition>;

const MOST_COMPILED = 500;

export interface FunctionsApi {
  /** Makes `fn(settings, context)` known under its package name; a later one of the same name takes its place. */
  register(name: string, fn: PipelineFunction): void;
  get(name: string): PipelineFunction | undefined;
  /** Every package and the address of the script that registered it, null when that can't be told. */
  list(): { name: string; url: string | null }[];
  /** An expression as a function of the context; compiled once. @throws on bad syntax, with the column */
  compileCondition(source: string): Condition;
  /** A copy of a setting in which each `{{expression}}` is replaced by its value. */
  fill(value: unknown, context: Record<string, unknown>, options?: FillOptions): unknown;
}

/** @param currentScript answers the address of the script that runs now */
export function createFunctions(currentScript: () => string | null): {
  api: FunctionsApi;
  registry: ReadonlyMap<string, PipelineFunction>;
} {
  const registry = new Map<string, PipelineFunction>();
  const urls = new Map<string, string | null>();
  const compiled = new Map<string, Condition>();

  function compile(source: string): Condition {
    const known = compiled.get(source);
    if (known) return known;
    const condition = compileCondition(source);
    if (compiled.size >= MOST_COMPILED) compiled.clear();
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
  };
  return { api, registry };
}
