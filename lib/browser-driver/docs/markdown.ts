/** Converts the Markdown that the docs use to HTML: headings, paragraphs, lists, tables, code, links, and anchors. */

/** Converts a link’s target to that of the page; null leaves only the link’s text. */
export type ResolveLink = (target: string) => string | null;

export function markdownToHtml(markdown: string, resolveLink: ResolveLink): string {
  const blocks = splitBlocks(markdown);
  return blocks.map((lines) => blockHtml(lines, (text) => inlineHtml(text, resolveLink))).join('\n');
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The anchor of a heading, as GitHub makes it. */
export const headingAnchor = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const FENCE = '```';
const HEADING = /^(#{1,4}) (.*)$/;
const ITEM = /^(-|\d+\.) /;

/** Groups lines into blocks. Headings and fenced code don’t need blank lines around them. */
function splitBlocks(markdown: string): string[][] {
  const blocks: string[][] = [];
  let block: string[] = [];
  const end = (): void => {
    if (block.length > 0) blocks.push(block);
    block = [];
  };
  for (const line of markdown.split('\n')) {
    const inFence = block[0]?.startsWith(FENCE) ?? false;
    if (inFence) {
      if (line.startsWith(FENCE)) end();
      else block.push(line);
    } else if (line.trim() === '') end();
    else if (HEADING.test(line)) {
      end();
      blocks.push([line]);
    } else {
      const startsOther = line.startsWith(FENCE) || line.startsWith('|') !== block[0]?.startsWith('|');
      if (block.length > 0 && startsOther) end();
      block.push(line);
    }
  }
  end();
  return blocks;
}

type Inline = (text: string) => string;

function blockHtml(lines: string[], inline: Inline): string {
  const [first = ''] = lines;
  const heading = HEADING.exec(first);
  if (heading) {
    const [, marks = '', text = ''] = heading;
    const tag = `h${marks.length}`;
    return `<${tag} id="${headingAnchor(text)}">${inline(text)}</${tag}>`;
  }
  if (first.startsWith(FENCE)) return `<pre><code>${escapeHtml(lines.slice(1).join('\n'))}</code></pre>`;
  if (first.startsWith('|')) return tableHtml(lines, inline);
  if (ITEM.test(first)) return listHtml(lines, inline);
  return `<p>${inline(lines.join(' '))}</p>`;
}

function listHtml(lines: string[], inline: Inline): string {
  const items: string[] = [];
  for (const line of lines)
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  const tag = lines[0]?.startsWith('-') ? 'ul' : 'ol';
  return `<${tag}>\n${items.map((item) => `<li>${inline(item)}</li>`).join('\n')}\n</${tag}>`;
}

function tableHtml([head = '', , ...rows]: string[], inline: Inline): string {
  const row = (line: string, tag: 'th' | 'td'): string =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${inline(cell)}</${tag}>`)
      .join('')}</tr>`;
  const body = rows.map((line) => row(line, 'td')).join('\n');
  return `<div class="table"><table>\n<thead>${row(head, 'th')}</thead>\n<tbody>\n${body}\n</tbody>\n</table></div>`;
}

const cells = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const INLINE = [
  /`(?<code>[^`]+)`/,
  /<a id="(?<anchor>[\w-]+)"><\/a>/,
  /!\[(?<alt>[^\]]*)\]\([^)]*\)/,
  /\[(?<text>[^\]]*)\]\((?<target>[^)\s]*)\)/,
  /\*\*(?<strong>.+?)\*\*/,
  /(?<![\w*])\*(?<em>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])/,
];
const ANY_INLINE = new RegExp(INLINE.map(({ source }) => source).join('|'), 'g');

function inlineHtml(text: string, resolveLink: ResolveLink): string {
  let html = '';
  let end = 0;
  const nested = (inner: string): string => inlineHtml(inner, resolveLink);
  for (const match of text.matchAll(ANY_INLINE)) {
    const { code, anchor, alt, text: label, target, strong, em } = match.groups ?? {};
    html += escapeHtml(text.slice(end, match.index));
    end = match.index + match[0].length;
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`;
    else if (anchor !== undefined) html += `<a id="${anchor}"></a>`;
    else if (alt !== undefined) html += escapeHtml(alt);
    else if (strong !== undefined) html += `<strong>${nested(strong)}</strong>`;
    else if (em !== undefined) html += `<em>${nested(em)}</em>`;
    else {
      const href = resolveLink(target ?? '');
      html += href === null ? nested(label ?? '') : `<a href="${escapeHtml(href)}">${nested(label ?? '')}</a>`;
    }
  }
  return html + escapeHtml(text.slice(end));
}
