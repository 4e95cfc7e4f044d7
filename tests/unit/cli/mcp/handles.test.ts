/** Tests the handles of the MCP server: which ones expire. */
import { describe, expect, it } from 'vitest';
import { Handles } from '../../../../lib/cli/mcp/handles.ts';

const add = (handles: Handles, characters = 10): string => handles.add({ characters, text: () => 'text' });
const expired = (handles: Handles, all: readonly string[]): boolean[] =>
  all.map((handle) => {
    try {
      return handles.get(handle) === undefined;
    } catch (error) {
      expect(error).toMatchObject({ code: 'HANDLE_UNKNOWN' });
      return true;
    }
  });

describe('handles', () => {
  it('are random', () => {
    const handles = new Handles();
    const all = new Set(Array.from({ length: 20 }, () => add(handles)));
    expect(all.size).toBe(20);
    expect([...all].every((handle) => /^h_[\w-]{12}$/.test(handle))).toBe(true);
  });

  it('expire, oldest first, beyond their number', () => {
    const handles = new Handles({ count: 2, characters: 1_000 });
    expect(expired(handles, [add(handles), add(handles), add(handles)])).toEqual([true, false, false]);
  });

  it('expire, oldest first, beyond their size', () => {
    const handles = new Handles({ count: 10, characters: 100 });
    expect(expired(handles, [add(handles, 60), add(handles, 30), add(handles, 60)])).toEqual([true, false, false]);
  });

  it('that are used expire later', () => {
    const handles = new Handles({ count: 2, characters: 1_000 });
    const [first, second] = [add(handles), add(handles)];
    handles.get(first);
    expect(expired(handles, [second, first, add(handles)])).toEqual([true, false, false]);
  });

  it('of something larger than the limit stay until the next one', () => {
    const handles = new Handles({ count: 10, characters: 100 });
    const large = add(handles, 1_000);
    expect(expired(handles, [large])).toEqual([false]);
    expect(expired(handles, [large, add(handles)])).toEqual([true, false]);
  });

  it('of a text aren’t handles of a recording', () => {
    const handles = new Handles();
    const handle = add(handles);
    expect(() => handles.recording(handle)).toThrow('it isn’t a recording');
  });
});
