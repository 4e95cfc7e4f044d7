/** Any character of Unicode, for property tests. */
import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** As `unit: 'binary'` of fast-check, which takes a second to get ready. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((code) => String.fromCodePoint(code < SURROGATES.first ? code : code + SURROGATES.count));
