/** Owns the items of a demo API, and what a request may add to them: JSON, or a form with files. */
import { createHash } from 'node:crypto';

export type Item = { id: number } & Record<string, unknown>;
type NewItem = Record<string, unknown>;

/** A form is answered with what arrived, files by name, type, size and digest. */
export type Received =
  | { item: NewItem }
  | {
      fields: Record<string, string>;
      files: { field: string; name: string; type: string; size: number; sha256: string }[];
    }
  | { status: 400 | 415; problem: string };

const NAMES = [
  'Ladder',
  'Torque wrench',
  'Cable drum',
  'Multimeter',
  'Work light',
  'Tool belt',
  'Drill',
  'Ear muffs',
  'Crimper',
  'Level',
  'Clamp',
  'Label printer',
];
const MOST = 1_000;

export function createItems() {
  const items = new Map<number, Item>(
    NAMES.map((name, index) => [index + 1, { id: index + 1, name, stock: ((index * 7) % 13) + 1 }]),
  );
  let last = NAMES.length;
  return {
    list({ q = '', limit = '', ...rest }: Record<string, string>): {
      items: Item[];
      total: number;
      query: Record<string, string>;
    } {
      const found = [...items.values()].filter(({ name }) => String(name).toLowerCase().includes(q.toLowerCase()));
      return {
        items: found.slice(0, /^\d{1,4}$/.test(limit) ? Number(limit) : MOST),
        total: found.length,
        query: { ...(q && { q }), ...(limit && { limit }), ...rest },
      };
    },
    add(fields: NewItem): Item {
      last += 1;
      const item = { ...fields, id: last };
      items.set(last, item);
      // The oldest one that was added goes.
      if (items.size > MOST) items.delete([...items.keys()][NAMES.length]!);
      return item;
    },
    change(id: number, fields: NewItem): Item | null {
      const before = items.get(id);
      if (!before) return null;
      const item = { ...before, ...fields, id };
      items.set(id, item);
      return item;
    },
    remove: (id: number): boolean => items.delete(id),
  };
}

export async function readNew(request: Request): Promise<Received> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  try {
    if (type === 'application/json') {
      const value: unknown = await request.json();
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return { status: 400, problem: 'Send an object.' };
      return { item: value as NewItem };
    }
    if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded')
      return await received(await request.formData());
  } catch {
    return { status: 400, problem: `The body is no ${type === 'application/json' ? 'JSON' : 'form'}.` };
  }
  return { status: 415, problem: 'Send JSON or a form.' };
}

async function received(form: FormData): Promise<Received> {
  const fields: Record<string, string> = {};
  const files = [];
  for (const [field, value] of form) {
    if (typeof value === 'string') fields[field] = value;
    else
      files.push({
        field,
        name: value.name,
        type: value.type,
        size: value.size,
        sha256: createHash('sha256')
          .update(await value.bytes())
          .digest('hex'),
      });
  }
  return { fields, files };
}
