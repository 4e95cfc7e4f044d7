/** Checks and changes plain data, as JSON has it. */

/** Whether the value is an object, but not null or an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Applies `change` to all texts of plain data, also to names of properties. Deep data doesn’t use up the stack. */
export function mapTexts(root: unknown, change: (text: string) => string): unknown {
  const mapped: unknown[] = [];
  const open: { from: object; to: Record<string, unknown> | unknown[] }[] = [];
  const put = (target: Record<string, unknown> | unknown[], name: string, value: unknown): void => {
    const next = typeof value === 'string' ? change(value) : nested(value);
    if (Array.isArray(target)) target.push(next);
    else Object.defineProperty(target, name, { value: next, enumerable: true, configurable: true, writable: true });
  };
  const nested = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const to: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
    open.push({ from: value, to });
    return to;
  };
  put(mapped, '0', root);
  for (let next = open.pop(); next; next = open.pop())
    for (const [name, value] of Object.entries(next.from)) if (value !== undefined) put(next.to, change(name), value);
  return mapped[0];
}
