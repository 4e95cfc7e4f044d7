/** The docs in the extension’s package: complete, linked, and without scripts or requests to other hosts. */
import { describe, expect, it } from 'vitest';
import { Licenses } from '../../../lib/browser-driver/docs/licenses.ts';
import { markdownToHtml } from '../../../lib/browser-driver/docs/markdown.ts';
import { docFiles } from '../../../lib/browser-driver/docs/pages.ts';
import { ERROR_CODES } from '../../../lib/platform-api/error-codes.ts';
import { DOC_PAGES, docUrl, errorUrl, type DocPage } from '../../../lib/shared/docs.ts';

const licenses = new Licenses();
const files = new Map(
  (await docFiles(licenses.html())).map(({ relativeDest, contents }) => [`/${relativeDest}`, contents]),
);
const pages = [...files].filter(([path]) => path.endsWith('.html'));
const idsOf = (html: string): string[] => [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id);
const linksOf = (html: string): string[] => [...html.matchAll(/\shref="([^"]*)"/g)].map(([, href = '']) => href);

describe('the docs in the package', () => {
  it('have every page', () => {
    const urls = (Object.keys(DOC_PAGES) as DocPage[]).map((page) => docUrl(page));
    expect(pages.map(([path]) => path)).toEqual(urls);
  });

  it('have an entry for every error code, with an anchor of its own', () => {
    const html = files.get(docUrl('errors')) ?? '';
    const ids = new Set(idsOf(html));
    const codes = Object.values(ERROR_CODES).flatMap((codes) => Object.keys(codes));
    expect(codes.length).toBeGreaterThan(200);
    expect(codes.filter((code) => !ids.has(errorUrl(code).split('#')[1] ?? ''))).toEqual([]);
  });

  it.each(pages)('%s links only to pages and anchors that exist, and has no anchor twice', (path, html) => {
    const ids = idsOf(html);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const missing = linksOf(html).filter((link) => {
      if (link.startsWith('https:')) return false;
      const { pathname, hash } = new URL(link, `https://extension${path}`);
      const target = files.get(pathname);
      return target === undefined || (hash !== '' && !idsOf(target).includes(hash.slice(1)));
    });
    expect(missing).toEqual([]);
  });

  it.each(pages)('%s loads nothing but its style sheet', (_path, html) => {
    const [head = '', body = ''] = html.split('<body>');
    expect(head.match(/<link [^>]*>/g)).toEqual(['<link rel="stylesheet" href="docs.css">']);
    expect(head + body).not.toMatch(/<(script|img|iframe|style|object)|\sstyle=|\son\w+=/);
  });

  it.each(pages)('%s shows no Markdown as text', (_path, html) => {
    const text = html.replaceAll(/<(code|pre)>.*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, '');
    expect(text).not.toMatch(/\]\(|\*\*|^#+ |^\||`/m);
  });
});

describe('the licenses of a build', () => {
  const bundled = (...packages: { name: string; version: string; text?: string }[]): Record<string, unknown> => {
    const bundle: Record<string, unknown> = { 'licenses.json': { source: JSON.stringify(packages) } };
    const { handler } = licenses.plugin.generateBundle as { handler: (options: unknown, bundle: unknown) => void };
    handler({}, bundle);
    return bundle;
  };

  it('are the texts of all that its parts bundle, once each and sorted, and no file of Vite’s', () => {
    const a = { name: 'a', version: '1.0.0', text: 'Copyright <a>' };
    expect(bundled({ name: 'b', version: '2.0.0', text: 'Copyright b' }, a)).toEqual({});
    bundled(a);
    expect(licenses.html().split('\n').slice(2)).toEqual([
      '<h2 id="a-100"><a href="https://www.npmjs.com/package/a/v/1.0.0">a 1.0.0</a></h2>',
      '<pre>Copyright &lt;a&gt;</pre>',
      '<h2 id="b-200"><a href="https://www.npmjs.com/package/b/v/2.0.0">b 2.0.0</a></h2>',
      '<pre>Copyright b</pre>',
    ]);
    licenses.clear();
  });

  it('end it if one is missing', () => {
    expect(() => bundled({ name: 'c', version: '1.0.0' })).toThrow('c has no license file.');
  });
});

describe('Markdown', () => {
  const html = (markdown: string): string => markdownToHtml(markdown, (target) => (target === 'x.md' ? null : target));

  it('is escaped, so that it can’t become other markup', () => {
    expect(html('a <b onclick="x">')).toBe('<p>a &lt;b onclick=&quot;x&quot;&gt;</p>');
    expect(html('`<script>`')).toBe('<p><code>&lt;script&gt;</code></p>');
    expect(html('[a](https://x/"onclick=)')).toBe('<p><a href="https://x/&quot;onclick=">a</a></p>');
  });

  it('has headings with anchors, lists over several lines, and code', () => {
    expect(html('# What’s new?\ntext\nmore\n- one\n  more\n- two')).toContain('<h1 id="whats-new">What’s new?</h1>');
    expect(html('- one\n  more\n- *two*')).toBe('<ul>\n<li>one more</li>\n<li><em>two</em></li>\n</ul>');
    expect(html('1. one\n2. **two**')).toBe('<ol>\n<li>one</li>\n<li><strong>two</strong></li>\n</ol>');
    expect(html('```sh\na  b\n\n# c\n```')).toBe('<pre><code>a  b\n\n# c</code></pre>');
  });

  it('has tables, where “\\|” is a character of a cell', () => {
    expect(html('| a | b |\n|---|---|\n| 1 \\| 2 | `x` |')).toContain('<tr><td>1 | 2</td><td><code>x</code></td></tr>');
  });

  it('loses links to files that the package doesn’t have, but not their text', () => {
    expect(html('[a](x.md) and [b](y.html#c)')).toBe('<p>a and <a href="y.html#c">b</a></p>');
  });
});
