/** The source of a function package, as it’s written into code. */
import { expect, it } from 'vitest';
import { inlineSource } from '../../../lib/migrate/sources/inline-source.ts';

it('is laid out in time that its length bounds, also if it’s nearly all line breaks', () => {
  const breaks = '\n'.repeat(400_000);
  expect(inlineSource(`a;${breaks}b;`).trim()).toMatch(/^a;\n+ +b;$/);
});
