/** Makes the extension’s docs from the repository’s Markdown files. */
import { readFile } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import { DOC_PAGES, type DocPage } from '../../shared/docs.ts';
import { markdownToHtml, type ResolveLink } from './markdown.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

const SOURCES: Record<Exclude<DocPage, 'licenses'>, string> = {
  start: 'assets/docs/start.md',
  surfaces: 'assets/docs/surfaces.md',
  debugger: 'assets/docs/debugger.md',
  migrate: 'assets/docs/migrate.md',
  platforms: 'assets/docs/platforms.md',
  errors: 'assets/docs/errors.md',
  'local-platform': 'lib/local-platform/README.md',
  limits: 'assets/docs/limits.md',
  permissions: 'assets/docs/permissions.md',
  'resent-changes': 'assets/docs/resent-changes.md',
  security: 'SECURITY.md',
  privacy: 'PRIVACY.md',
};
const PAGES = Object.keys(DOC_PAGES) as DocPage[];
const MARKDOWN_PAGES = Object.keys(SOURCES) as (keyof typeof SOURCES)[];
const STYLES = ['assets/tokens.css', 'assets/docs/docs.css'];

const read = (path: string): Promise<string> => readFile(resolve(ROOT, path), 'utf8');

export interface DocFile {
  /** In the package. */
  relativeDest: string;
  contents: string;
}

/**
 * All files of the docs: one page for each Markdown file, the licenses, and their style sheet.
 * @param licenses HTML
 */
export async function docFiles(licenses: string): Promise<DocFile[]> {
  const pages = MARKDOWN_PAGES.map(async (page) =>
    docPage(page, markdownToHtml(await read(SOURCES[page]), resolverOf(SOURCES[page]))),
  );
  return [
    { relativeDest: 'docs/docs.css', contents: (await Promise.all(STYLES.map(read))).join('\n') },
    ...(await Promise.all(pages)),
    docPage('licenses', licenses),
  ];
}

const docPage = (page: DocPage, html: string): DocFile => ({
  relativeDest: `docs/${page}.html`,
  contents: pageHtml(page, html),
});

function pageHtml(page: DocPage, html: string): string {
  const links = PAGES.map(
    (other) => `<a href="${other}.html"${other === page ? ' aria-current="page"' : ''}>${DOC_PAGES[other]}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${DOC_PAGES[page]} – Platform DevTools</title>
<link rel="stylesheet" href="docs.css">
</head>
<body>
<nav aria-label="Docs">
${links.join('\n')}
</nav>
<main>
${html}
</main>
</body>
</html>
`;
}

/** Links between docs become links between pages. The package has no other file of the repository. */
const resolverOf =
  (source: string): ResolveLink =>
  (target) => {
    const [path = '', anchor] = target.split('#');
    if (path.startsWith('https:')) return target;
    if (path === '') return target;
    const file = posix.join(posix.dirname(source), path);
    const page = MARKDOWN_PAGES.find((page) => SOURCES[page] === file);
    return page === undefined ? null : `${page}.html${anchor === undefined ? '' : `#${anchor}`}`;
  };
