/** Stores the demo API’s items, and reads new ones from JSON or forms. */
import { createHash } from 'node:crypto';
import { isRecord } from '../../shared/objects.ts';

export type Item = { id: number } & Record<string, unknown>;
type NewItem = Record<string, unknown>;

/** The content of a request. For a form’s files, the response shows name, type, size, and digest. */
export type Received =
  | { item: NewItem }
  | {
      fields: Record<string, string>;
      files: { field: string; name: string; type: string; size: number; sha256: string }[];
    }
  | { status: 400 | 415; problem: string };

export interface ItemList {
  items: Item[];
  total: number;
  query: Record<string, string>;
}

const NAMES = [
  'Ladder',
  'Torque wrench',
  'Cable reel',
  'Multimeter',
  'Work light',
  'Tool belt',
  'Drill',
  'Earmuffs',
  'Crimper',
  'Level',
  'Clamp',
  'Label printer',
];
const MAX_ITEMS = 1_000;

export class Items {
  readonly #items = new Map<number, Item>(
    NAMES.map((name, index) => [index + 1, { id: index + 1, name, stock: ((index * 7) % 13) + 1 }]),
  );
  #lastId = NAMES.length;

  list({ q = '', limit = '', ...rest }: Record<string, string>): ItemList {
    const found = [...this.#items.values()].filter(({ name }) => String(name).toLowerCase().includes(q.toLowerCase()));
    return {
      items: found.slice(0, /^\d{1,4}$/.test(limit) ? Number(limit) : MAX_ITEMS),
      total: found.length,
      query: { ...(q && { q }), ...(limit && { limit }), ...rest },
    };
  }

  add(fields: NewItem): Item {
    const item = { ...fields, id: ++this.#lastId };
    this.#items.set(item.id, item);
    // Removes the oldest added item.
    if (this.#items.size > MAX_ITEMS) this.#items.delete([...this.#items.keys()][NAMES.length]!);
    return item;
  }

  update(id: number, fields: NewItem): Item | null {
    const current = this.#items.get(id);
    if (!current) return null;
    const item = { ...current, ...fields, id };
    this.#items.set(id, item);
    return item;
  }

  remove(id: number): boolean {
    return this.#items.delete(id);
  }
}

export async function readNew(request: Request): Promise<Received> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  try {
    if (type === 'application/json') {
      const item: unknown = await request.json();
      return isRecord(item) ? { item } : { status: 400, problem: 'Send a JSON object.' };
    }
    if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded')
      return await readForm(await request.formData());
  } catch {
    return { status: 400, problem: `The body isn’t ${type === 'application/json' ? 'valid JSON' : 'a form'}.` };
  }
  return { status: 415, problem: 'Send JSON or a form.' };
}

async function readForm(form: FormData): Promise<Received> {
  const fields: Record<string, string> = {};
  const files = [];
  for (const [field, value] of form) {
    if (typeof value === 'string') {
      fields[field] = value;
      continue;
    }
    const { name, type, size } = value;
    const sha256 = createHash('sha256')
      .update(await value.bytes())
      .digest('hex');
    files.push({ field, name, type, size, sha256 });
  }
  return { fields, files };
}
