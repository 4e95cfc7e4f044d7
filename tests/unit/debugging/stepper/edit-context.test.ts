/** Tests how an edited text changes a run's context. */
import { describe, expect, it } from 'vitest';
import { CONTEXT_LIMIT, editContext, showContext } from '../../../../lib/debugging/stepper/edit-context.ts';

/** Edits the text of a context. */
function edit(context: Record<string, unknown>, change: (text: string) => string): string | null {
  const shown = showContext(context);
  const edited = editContext(context, shown, change(shown.text));
  return edited.ok ? null : edited.error.code;
}
const editValue = (context: Record<string, unknown>, change: (value: Record<string, unknown>) => void): string | null =>
  edit(context, (text) => {
    const value = JSON.parse(text) as Record<string, unknown>;
    change(value);
    return JSON.stringify(value);
  });

describe('an edited context', () => {
  it('has what the text has: changed, added, and removed properties at any depth', () => {
    const context = { a: 1, list: [{ id: 1 }, { id: 2 }], gone: true };
    expect(edit(context, () => '{"a":2,"list":[{"id":1,"b":[]}],"__proto__":{"c":1}}')).toBeNull();
    expect(Object.entries(context)).toEqual([
      ['a', 2],
      ['list', [{ id: 1, b: [] }]],
      ['__proto__', { c: 1 }],
    ]);
    expect(Object.getPrototypeOf(context)).toBe(Object.prototype);
  });

  it('keeps the identity of objects that other places refer to', () => {
    const item = { id: 1, name: 'one' };
    const list = [item, { id: 2 }];
    const context = { list, currentItem: item };
    expect(
      editValue(context, (value) => {
        (value['currentItem'] as typeof item).name = 'edited';
      }),
    ).toBeNull();
    expect(context.currentItem).toBe(item);
    expect(list[0]).toBe(item);
    expect(item.name).toBe('edited');
  });

  it('keeps what can’t be shown as text where it was', () => {
    const fn = (): number => 1;
    const map = new Map();
    const when = new Date(5);
    const context: Record<string, unknown> = { fn, deep: { map, n: 1 }, when, big: 10n, none: undefined };
    expect(editValue(context, (value) => ((value['deep'] as { n: number }).n = 2))).toBeNull();
    expect(context).toEqual({ fn, deep: { map, n: 2 }, when, big: 10n, none: undefined });
    expect(editValue(context, (value) => (value['copy'] = value['fn']))).toBe('CONTEXT_VALUE_LOST');
    expect(editValue(context, (value) => (value['fn'] = 'a text'))).toBeNull();
    expect(context['fn']).toBe('a text');
  });

  it('keeps the items that weren’t shown, and refuses to add others among them', () => {
    const rows = Array.from({ length: 4 }, () => 'x'.repeat(CONTEXT_LIMIT / 2 - 100));
    const context: Record<string, unknown> = { rows, n: 1 };
    expect(editValue(context, (value) => (value['n'] = 2))).toBeNull();
    expect(context).toMatchObject({ n: 2 });
    expect(rows).toHaveLength(4);
    expect(editValue(context, (value) => (value['rows'] as unknown[]).push('new'))).toBe('CONTEXT_VALUE_LOST');
    expect(rows).toHaveLength(4);
  });

  it.each([
    ['isn’t JSON', '{"a":', 'CONTEXT_NOT_JSON'],
    ['is an array', '[1]', 'CONTEXT_NOT_OBJECT'],
    ['is null', 'null', 'CONTEXT_NOT_OBJECT'],
    ['is huge', `{"a":"${'x'.repeat(CONTEXT_LIMIT * 4)}"}`, 'CONTEXT_TOO_LARGE'],
  ])('that %s is refused, and nothing changes', (_what, text, code) => {
    const context = { a: 1 };
    expect(edit(context, () => text)).toBe(code);
    expect(context).toEqual({ a: 1 });
  });

  it('is applied as a whole or not at all', () => {
    const context = { a: 1, fixed: Object.freeze({ b: 1 }), z: 1 };
    Object.defineProperty(context, 'fixed', { writable: false, configurable: false });
    expect(edit(context, () => '{"a":2,"fixed":{"b":2},"z":2}')).toBe('CONTEXT_READ_ONLY');
    expect(context).toMatchObject({ a: 1, z: 1 });
  });

  it('replaces a frozen object by a changed copy', () => {
    const context = { fixed: Object.freeze({ b: 1 }) };
    expect(edit(context, () => '{"fixed":{"b":2}}')).toBeNull();
    expect(context.fixed).toEqual({ b: 2 });
  });
});
