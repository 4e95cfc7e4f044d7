/** Functions that change the context in many ways, and notes of what an observer sees. */
import type { Observer, PipelineFunction } from '../../../lib/pipeline/index.ts';
import { functions } from '../pipeline/random-pipelines.ts';

/** Functions that also share objects between places of the context, move them, and change them in depth. */
export const MORE: Record<string, PipelineFunction> = {
  ...functions,
  set: (settings, context) => {
    Object.assign(context, settings);
    context.alias = (context.deep as { list: unknown[] }).list;
  },
  later: async ({ value }, context) => {
    // What it returns is in the context, or contains what is.
    const { first, deep, list } = context;
    if (Array.isArray(value)) return { deep, list: [list, first] };
    return first ?? value;
  },
  turn: ({ value }, context) => {
    // The context has one new object at two places.
    const pair = { n: value };
    context.pairs = [pair, { pair }];
    context.first = pair;
    return new Promise((resolve) => setImmediate(resolve, context.pairs));
  },
  value: ({ value }, context) => {
    const { first } = context as { first?: { touched?: number } };
    if (first) first.touched = Number(first.touched ?? 0) + 1;
    return value === 0 ? [-0, NaN, new Date(5), undefined, 7n] : value;
  },
  grow: (settings, context) => {
    const { alias } = context;
    if (Array.isArray(alias) && alias.length < 6) alias.push({ n: context.n });
    return functions['grow']!(settings, context);
  },
  spoil: (_, context) => {
    const list = context.list;
    if (Array.isArray(list) && list.length > 1) [list[0], list[1]] = [list[1], list[0]];
    delete context.flag;
    return undefined;
  },
  item: (_, context) => {
    const { currentItem } = context;
    if (typeof currentItem === 'object' && currentItem !== null && !Array.isArray(currentItem))
      (currentItem as { seen?: number }).seen = 1;
    return [context.currentItem, context.currentIndex];
  },
  count: (_, context) => {
    context.n = Number(context.n ?? 0) + 1;
    const objects = [{ id: context.n }, { id: 0 }];
    context.objects = objects;
    context.first = objects[0];
    return context.objects;
  },
};

/** What an observer sees: each step, and the context before and after it. */
export function watch(lines: unknown[], then: Observer = {}): Observer {
  const note = (
    sign: string,
    { path, iteration, context }: { path: string; iteration: readonly number[]; context: object },
    more: unknown,
  ) => lines.push(`${sign} ${path} ${iteration.join('.')} ${textOf(more)} ${textOf(context)}`);
  return {
    before: (info) => {
      const result = then.before?.(info);
      note('>', info, info.kind);
      return result;
    },
    after: (info, outcome) => {
      then.after?.(info, outcome);
      const { state, branch, iterations, value } = outcome as {
        state: string;
        branch?: unknown;
        iterations?: number;
        value?: unknown;
      };
      note('<', info, state === 'completed' ? { branch, iterations, value } : state);
    },
  };
}

/** A value as text, with what JSON doesn’t have. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return `${item}n`;
    if (typeof item === 'number' && (!Number.isFinite(item) || Object.is(item, -0)))
      return `number ${item} ${1 / item}`;
    return item === undefined ? 'undefined' : item;
  });
