/** Collects the licenses of what the build bundles, for their page in the extension’s package. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { escapeHtml, headingAnchor } from './markdown.ts';

/** Vite writes it for each build. It doesn’t become a part of the package. */
const FILE = 'licenses.json';
/** Packages whose license is only in their repository. */
const WITHOUT_FILE: Record<string, string> = { wxt: 'wxt.txt', '@wxt-dev/browser': 'wxt.txt' };
const FOLDER = resolve(import.meta.dirname, '../../../assets/licenses');

/** An entry of Vite’s file. */
interface Bundled {
  name: string;
  version: string;
  text?: string;
}

export class Licenses {
  readonly #texts = new Map<string, string>();

  /** For each build, which fails if it bundles a package whose license isn’t known. */
  readonly plugin: Plugin = {
    name: 'licenses',
    config: () => ({ build: { license: { fileName: FILE } } }),
    generateBundle: {
      order: 'post',
      handler: (_options, bundle) => {
        const { source } = bundle[FILE] as Rolldown.OutputAsset;
        delete bundle[FILE];
        for (const { name, version, text } of JSON.parse(String(source)) as Bundled[])
          this.#texts.set(`${name} ${version}`, text ?? textOf(name));
      },
    },
  };

  /** Before all builds of a package. */
  clear(): void {
    this.#texts.clear();
  }

  /** A heading and the text for each package, sorted by name. */
  html(): string {
    const sections = [...this.#texts]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(
        ([name, text]) => `<h2 id="${headingAnchor(name)}">${sourceLink(name)}</h2>\n<pre>${escapeHtml(text)}</pre>`,
      );
    return `<h1 id="licenses">Licenses</h1>\n<p>The extension includes code of these packages.</p>\n${sections.join('\n')}`;
  }
}

/** MPL-2.0 asks for it. */
const sourceLink = (name: string): string =>
  `<a href="https://www.npmjs.com/package/${name.replace(' ', '/v/')}">${escapeHtml(name)}</a>`;

function textOf(name: string): string {
  const file = WITHOUT_FILE[name];
  if (file === undefined) throw new Error(`${name} has no license file. Add its license to assets/licenses.`);
  return readFileSync(resolve(FOLDER, file), 'utf8').trim();
}
