import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embeddable } from '../../../lib/local-platform/http/compile-page.ts';

describe('embeddable', () => {
  it('parses back to the same value, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(embeddable(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('contains nothing that could end a script element, open a comment, or end a line', () => {
    const hostile = fc.constantFrom(
      '</script>',
      '<!--',
      '-->',
      ']]>',
      '<script',
      '\u2028',
      '\u2029',
      '&lt;',
      '"',
      '\\',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(hostile, fc.string()), { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        expect(embeddable({ [text]: text })).not.toMatch(/[<>&\u2028\u2029\n]/);
      }),
    );
  });
});
