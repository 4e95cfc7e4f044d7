/** Generates `assets/docs/errors.md` from the error codes: `npm run docs`. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorAnchor } from '../../lib/shared/docs.ts';
import { ERROR_CODES, type ErrorText } from '../../lib/platform-api/error-codes.ts';

export const ERROR_REFERENCE = resolve(import.meta.dirname, '../../assets/docs/errors.md');

/** What the extension shows comes first: of several entries of a code, the first one gets its anchor. */
const LAYERS: Record<keyof typeof ERROR_CODES, string> = {
  extension: 'The extension',
  rest: 'Requests to a platform',
  page: 'The inspected page',
  pipeline: 'Pipelines and conditions',
  debugging: 'Recordings, replays, and mocks',
  oauth2: '`Platform.OAuth2`',
  actions: '`Platform.App.Actions` in a page',
  platform: 'The local platform’s REST API',
  actionsV3: 'App Actions V3',
  cli: 'The command line',
  mcp: 'The MCP server',
};

export function errorReference(): string {
  const anchors = new Set<string>();
  const sections = Object.entries(LAYERS).map(([layer, title]) => {
    const codes = Object.entries(ERROR_CODES[layer as keyof typeof ERROR_CODES]);
    const rows = codes
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([code, text]) => {
        const anchor = anchors.has(code) ? `${layer}-${errorAnchor(code)}` : errorAnchor(code);
        anchors.add(code);
        return row(code, anchor, text);
      });
    return `## ${title}\n\n| code | what happened | what to do |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  const head =
    '# Error reference\n\nEvery error has a stable code. Generated from `lib/platform-api/error-codes` by `npm run docs`.\n';
  return [head, ...sections].join('\n');
}

function row(code: string, anchor: string, { meaning, fix }: ErrorText): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return `| <a id="${anchor}"></a>\`${code}\` | ${cell(meaning)} | ${cell(fix)} |`;
}

if (process.argv[1] === import.meta.filename) await writeFile(ERROR_REFERENCE, errorReference());
