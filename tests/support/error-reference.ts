/** Generates `assets/docs/errors.md` from the error codes: `npm run docs`. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ERROR_CODES, type ErrorText } from '../../lib/platform-api/error-codes.ts';

export const ERROR_REFERENCE = resolve(import.meta.dirname, '../../assets/docs/errors.md');

const LAYERS: Record<keyof typeof ERROR_CODES, string> = {
  platform: 'The local platform’s REST API',
  rest: 'Requests to a platform',
  actions: '`Platform.App.Actions` in a page',
  pipeline: 'Pipelines and conditions',
  oauth2: '`Platform.OAuth2`',
  page: 'The inspected page',
  extension: 'The extension',
};

export function errorReference(): string {
  const sections = Object.entries(LAYERS).map(([layer, title]) => {
    const codes = Object.entries(ERROR_CODES[layer as keyof typeof ERROR_CODES]);
    const rows = codes.sort(([one], [other]) => one.localeCompare(other)).map(([code, text]) => row(code, text));
    return `## ${title}\n\n| code | what happened | what to do |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  const head =
    '# Error reference\n\nEvery error has a stable code. Generated from `lib/platform-api/error-codes` by `npm run docs`.\n';
  return [head, ...sections].join('\n');
}

function row(code: string, { meaning, fix }: ErrorText): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return `| <a id="${code.toLowerCase()}"></a>\`${code}\` | ${cell(meaning)} | ${cell(fix)} |`;
}

if (process.argv[1] === import.meta.filename) await writeFile(ERROR_REFERENCE, errorReference());
