/** Finds what identifies the items of two lists. */

/** Reads items of any form. */
export interface ItemReader<Item> {
  /** The properties with a simple value, as texts. Those of the item’s `data` are called `data.name`, for example. */
  properties(item: Item): Iterable<readonly [name: string, text: string]>;
  /** One of them. Undefined if the item doesn’t have it. */
  property(item: Item, name: string): string | undefined;
  /** Equal texts mean equal items. */
  content(item: Item): string;
}

/** A key per item. Equal keys mean the same item. */
export interface Identified {
  before: string[];
  now: string[];
  /** Whether no two items of a list can have the same key. */
  areUnique: boolean;
}

/** Best first. */
const NAMES = ['id', '_id', 'key', 'uuid', 'guid', 'email', 'username', 'slug', 'code', 'sku', 'name', 'title', 'url'];
const KNOWN = NAMES.flatMap((name) => [name, `data.${name}`]);

/**
 * Identifies items by a property that all items of both lists have, that no two items of a list share, and that at least
 * half of the shorter list shares with the other one, or else by content.
 */
export function identify<Item>(before: readonly Item[], now: readonly Item[], reader: ItemReader<Item>): Identified {
  const least = Math.min(before.length, now.length) / 2;
  // Most lists have one of these, so that others needn’t be collected.
  for (const name of KNOWN) {
    const left = uniqueProperty(before, name, reader);
    const right = left && uniqueProperty(now, name, reader);
    if (left && right && shared(left, right) >= least) return { before: [...left], now: [...right], areUnique: true };
  }
  const content: Identified = {
    before: before.map((item) => reader.content(item)),
    now: now.map((item) => reader.content(item)),
    areUnique: false,
  };
  if (shared(new Set(content.before), new Set(content.now)) >= least) return content;
  const left = uniqueProperties(before, reader);
  const right = uniqueProperties(now, reader);
  const sharedBy = (name: string): number => shared(left.get(name), right.get(name));
  const [best] = [...left.keys()]
    .filter((name) => right.has(name))
    .map((name) => ({ name, count: sharedBy(name) }))
    .filter(({ count }) => count >= least)
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  if (!best) return content;
  return { before: [...left.get(best.name)!], now: [...right.get(best.name)!], areUnique: true };
}

/** The values of a property, in order. Null if an item doesn’t have it, or shares it with another one. */
function uniqueProperty<Item>(items: readonly Item[], name: string, reader: ItemReader<Item>): Set<string> | null {
  const values = new Set<string>();
  for (const item of items) {
    const text = reader.property(item, name);
    if (text === undefined || values.has(text)) return null;
    values.add(text);
  }
  return items.length > 0 ? values : null;
}

/** The values of each property that identifies the items, in order. */
function uniqueProperties<Item>(items: readonly Item[], reader: ItemReader<Item>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [index, item] of items.entries()) {
    if (index > 0 && found.size === 0) break;
    for (const [name, text] of reader.properties(item)) {
      const values = index === 0 ? new Set<string>() : found.get(name);
      if (!values) continue;
      if (values.size !== index || values.has(text)) found.delete(name);
      else found.set(name, values.add(text));
    }
  }
  for (const [name, { size }] of found) if (size !== items.length) found.delete(name);
  return found;
}

function shared(left: ReadonlySet<string> = NONE, right: ReadonlySet<string> = NONE): number {
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  let count = 0;
  for (const value of small) if (large.has(value)) count++;
  return count;
}

const NONE: ReadonlySet<string> = new Set();
