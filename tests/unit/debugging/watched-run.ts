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
    context.objects = [{ id: context.n }, { id: 0 }];
    return context.objects;
  },
};

/** What an observer sees: each step, and the context before and after it. */
export function watch(lines: unknown[], then: Observer = {}): Observer {
  const note = (
    sign: string,
    { path, iteration, context }: { path: string; iteration: readonly number[]; context: object },
    more: unknown,
  ) => lines.push(`${sign} ${path} ${iteration.join('.')} ${JSON.stringify(more)} ${JSON.stringify(context)}`);
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
