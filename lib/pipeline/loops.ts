/** Iterates over arrays and ranges, and restores names that a loop shadows. */
import type { Context } from './types.ts';
import type { LoopNode } from './nodes.ts';

interface Shadowed {
  name: string;
  had: boolean;
  value: unknown;
}

/** A running loop. */
export class Loop {
  readonly node: LoopNode;
  /** -1 before the first iteration. */
  index = -1;
  private readonly items: readonly unknown[] | null;
  private readonly length: number;
  private readonly shadowed: Shadowed[];

  constructor(node: LoopNode, items: readonly unknown[] | null, context: Context) {
    this.node = node;
    this.items = items;
    this.length = items ? items.length : 0;
    this.shadowed = ['currentItem', 'currentIndex'].map((name) => ({
      name,
      had: Object.hasOwn(context, name),
      value: context[name],
    }));
  }

  /** Sets the next item. Returns false if there is none. Items that the body adds or removes are skipped. */
  advance(context: Context): boolean {
    const index = this.index + 1;
    const { items } = this;
    if (items ? index >= this.length || index >= items.length : this.node.from + index > this.node.to) return false;
    this.index = index;
    context.currentItem = items ? items[index] : this.node.from + index;
    context.currentIndex = index;
    return true;
  }

  /** Restores the names to their values outside the loop. */
  restore(context: Context): void {
    for (const { name, had, value } of this.shadowed) {
      if (had) context[name] = value;
      else delete context[name];
    }
  }
}

const PATH = /^[^.[\]]+(?:\.[^.[\]]+|\[(?:\d+|"[^"\\]*"|'[^'\\]*')\])*$/;

/** The keys in a path such as `data.records`, `a[0].c`, or `a["b c"]`. */
export function keysIn(items: string): string[] {
  if (!PATH.test(items)) return items.split('.');
  return [...items.matchAll(/\[(["'])(.*?)\1\]|[^.[\]]+/g)].map(([key, , quoted]) => quoted ?? key);
}

/**
 * The keys that lead from the context to the value of `items`. A whole name comes first. `context` is the context itself,
 * unless it has a property of that name.
 * @param has whether the context has a property
 */
export function itemsPath(items: string, has: (name: string) => boolean): string[] {
  if (has(items)) return [items];
  const keys = keysIn(items);
  return keys[0] === 'context' && !has('context') ? keys.slice(1) : keys;
}

/** The value of `items`, by own properties only. Undefined if there is no such property. */
export function findItems(context: Context, items: string): unknown {
  let value: unknown = context;
  for (const key of itemsPath(items, (name) => Object.hasOwn(context, name))) {
    if (value === undefined || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Context)[key];
  }
  return value;
}
