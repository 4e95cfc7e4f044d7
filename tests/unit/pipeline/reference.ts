/** Interprets pipelines in the simplest way, as a reference for the engine: a recursive async function. */
import type { Pipeline, PipelineFunction, PipelineStep } from '../../../lib/pipeline/index.ts';

type Context = Record<string, unknown>;
export interface Log {
  push(line: string): unknown;
}
export class ReferenceFailure extends Error {
  path: string;
  iteration: number[];
  constructor(path: string, iteration: number[]) {
    super(`failed at ${path}`);
    this.path = path;
    this.iteration = iteration;
  }
}

/** The result of a run; `log` gets a line before and after each step. Conditions are evaluated by Node, with the context's keys as names. */
export async function reference(
  pipeline: Pipeline,
  functions: Record<string, PipelineFunction>,
  payload: Context,
  log: Log,
): Promise<unknown> {
  const context: Context = { ...payload };
  let result: unknown;

  async function steps(list: Pipeline, path: string, iteration: number[]): Promise<void> {
    for (let index = 0; index < list.length; index++) {
      const at = `${path}/${index}`;
      const where = `${at} ${iteration.join('.')}`;
      log.push(`> ${where}`);
      try {
        log.push(`< ${where} ${await step(list[index] as PipelineStep, at, iteration)}`);
      } catch (error) {
        log.push(`< ${where} failed`);
        throw error;
      }
    }
  }

  async function step(given: PipelineStep, path: string, iteration: number[]): Promise<string> {
    if (given.type === 'loop') {
      const items = given.range
        ? Array.from(
            { length: Math.max(0, given.range.to - given.range.from + 1) },
            (_, n) => n + (given.range?.from as number),
          )
        : String(given.items)
            .replace(/^context\./, '')
            .split(/\.|\["|"\]/)
            .filter(Boolean)
            .reduce<unknown>((value, key) => (value as Context | undefined)?.[key], context);
      if (!Array.isArray(items)) throw new ReferenceFailure(path, iteration);
      const outside = { ...context };
      const count = items.length;
      for (let index = 0; index < count; index++) {
        context.currentItem = items[index];
        context.currentIndex = index;
        await steps(given.functions ?? [], `${path}/functions`, [...iteration, index]);
      }
      for (const name of ['currentItem', 'currentIndex']) {
        if (name in outside) context[name] = outside[name];
        else delete context[name];
      }
    } else if (given.type === 'if') {
      for (const [index, block] of (given.conditions ?? []).entries()) {
        let holds: unknown;
        try {
          // oxlint-disable-next-line no-new-func, no-implied-eval -- the independent judge
          holds = new Function(...Object.keys(context), 'missing', `return (${String(block.condition)})`)(
            ...Object.values(context),
          );
        } catch {
          throw new ReferenceFailure(path, iteration);
        }
        if (holds) {
          await steps(block.functions, `${path}/conditions/${index}/functions`, iteration);
          return 'completed';
        }
      }
      await steps(given.elseFunctions ?? [], `${path}/elseFunctions`, iteration);
    } else {
      const fn = functions[given.functionPackage ?? given.function ?? ''] as PipelineFunction;
      let promise: unknown;
      try {
        promise = fn(structuredClone(given.settings ?? {}), context);
      } catch {
        throw new ReferenceFailure(path, iteration);
      }
      try {
        const value = await promise;
        if (value !== undefined) result = value;
      } catch (reason) {
        if (reason === undefined) return 'skipped';
        throw new ReferenceFailure(path, iteration);
      }
      await steps(given.functions ?? [], `${path}/functions`, iteration);
    }
    return 'completed';
  }

  await steps(pipeline, '', []);
  return result;
}
