/** Tests changes of recorded pipelines. */
import { describe, expect, it } from 'vitest';
import { editedPipeline } from '../../../../lib/cli/operations/edit-pipeline.ts';
import { requireShortLoops } from '../../../../lib/cli/operations/empty-loops.ts';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';

const pipeline = [{ type: 'if', conditions: [{ condition: 'a', functions: [] }] }, { functionPackage: 'p' }];
const recording = { pipeline } as unknown as Recording;
const edited = (path: string, value: unknown): unknown => editedPipeline(recording, [{ path, value }]);

describe('an edit', () => {
  it('replaces a value, and leaves the recording as it is', () => {
    expect(edited('/0/conditions/0/condition', 'b')).toEqual([
      { type: 'if', conditions: [{ condition: 'b', functions: [] }] },
      { functionPackage: 'p' },
    ]);
    expect(pipeline[0]!.conditions![0]!.condition).toBe('a');
  });
  it('adds a property, and a step at the end', () => {
    expect(edited('/1/settings', { x: 1 })).toMatchObject([{}, { functionPackage: 'p', settings: { x: 1 } }]);
    expect(edited('/2', { functionPackage: 'q' })).toHaveLength(3);
  });
  it('replaces the whole pipeline', () => expect(edited('', [])).toEqual([]));
  it.each(['/5', '/-', '/0/conditions/3/condition', '/x/y', '/1/functionPackage/z', '/__proto__/x'])(
    'of a missing place is refused: %s',
    (path) => expect(() => edited(path, 1)).toThrow(expect.objectContaining({ code: 'EDIT_PATH_MISSING' })),
  );
});

describe('a loop without steps', () => {
  it('is refused if it’s long, also inside of others', () => {
    const loop = { type: 'loop', range: { from: 1, to: 1e9 }, functions: [] };
    const error = expect.objectContaining({ code: 'REPLAY_TOO_LONG' });
    expect(() => requireShortLoops([loop])).toThrow(error);
    expect(() =>
      requireShortLoops([{ type: 'loop', items: 'a', functions: [{ ...loop, functions: undefined }] }]),
    ).toThrow(error);
  });
  it('may be short, and a long loop may have steps', () => {
    requireShortLoops([{ type: 'loop', range: { from: 1, to: 100 }, functions: [] }]);
    requireShortLoops([{ type: 'loop', range: { from: 1, to: 1e9 }, functions: [{ functionPackage: 'p' }] }]);
    requireShortLoops(undefined);
    requireShortLoops([null, 'text', { range: null }]);
  });
});
