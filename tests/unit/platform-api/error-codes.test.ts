/** The error reference has an entry for every code that the product can show. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../lib/platform-api/error-codes.ts';

const entries = Object.entries(ERROR_CODES).flatMap(([layer, codes]) =>
  Object.entries(codes).map(([code, text]) => ({ layer, code, ...text })),
);

/** Capitalized strings that aren’t error codes: kinds, environment variables, and codes of other programs. */
const OTHERS = new Set(
  'CHROME_PATH FIREFOX_PATH DATABASE_URL PG_VERSION EAI_AGAIN FORBIDDEN_ACCESS HPE_HEADER_OVERFLOW'.split(' '),
);

describe('the error reference', () => {
  it('has an entry for every error code in the source', () => {
    const known = new Set(entries.map(({ code }) => code));
    const files = execFileSync('git', ['ls-files', 'lib', 'components', 'entrypoints'], { encoding: 'utf8' })
      .split('\n')
      .filter((file) => /\.tsx?$/.test(file) && !/error-codes|local-platform\/(oauth-demo|db)\//.test(file));
    const missing = files.flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /\b(?:code:|code =|HttpError\(\s*\d+,|conflict\(|unauthorized\()\s*'([A-Z][A-Z_]+)'/g,
        ),
      ]
        .map((match) => match[1]!)
        .filter((code) => !known.has(code) && !OTHERS.has(code))
        .map((code) => `${code} in ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it('describes each code with one sentence and one step that starts with a verb', () => {
    for (const { layer, code, meaning, fix } of entries) {
      expect(meaning, `${layer} ${code}`).toMatch(/^[A-Z`].*\.$/);
      expect(fix, `${layer} ${code}`).toMatch(/^[A-Z][a-z]+[ ,].*\.$/);
    }
  });
});
