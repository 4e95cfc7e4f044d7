/** Owns the looks of the demo services' few pages, and what those pages may do. */
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Answer } from './answer.ts';

export type Html = HtmlEscapedString;

/** Everything that the `html` tag is given is escaped; nothing here is asynchronous. */
export const h = html as (strings: TemplateStringsArray, ...values: unknown[]) => Html;
export { raw };

/** @param targets origins that a form's answer may lead to besides the service's own: Chromium checks redirects too */
export const pageHeaders = (targets: readonly string[] = []): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action ${["'self'", ...targets].join(' ')}`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});

export const pageText = (title: string, body: Html, head: Html = h``): string =>
  h`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">${head}
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.toString();

/** A page of one sentence. @param goTo an address that the browser goes on to by itself */
export function pageAnswer(status: number, title: string, sentence: string, goTo?: string): Answer {
  const head = goTo === undefined ? undefined : h`<meta http-equiv="refresh" content="0; url=${goTo}">`;
  return {
    status,
    headers: pageHeaders(),
    body: Buffer.from(pageText(title, h`<h1>${title}</h1>\n<p>${sentence}</p>`, head)),
  };
}

const SCOPES: Record<string, string> = {
  openid: 'know who you are',
  profile: 'read your name and address',
  'items.read': 'read your items',
  'items.write': 'add, change and remove items',
  offline_access: 'stay logged in',
};

/** The login and consent page of both services: one form, one click. */
export function loginPage({
  service,
  client,
  scopes,
  action,
  hidden = {},
}: {
  service: string;
  client: string;
  scopes: readonly string[];
  action: string;
  hidden?: Record<string, string>;
}): string {
  return pageText(
    `Log in to ${service}`,
    h`<h1>${service}</h1>
<p><b>${client}</b> would like to:</p>
<form method="post" action="${action}">
${Object.entries(hidden).map(([name, value]) => h`<input type="hidden" name="${name}" value="${value}">`)}
<ul>
${scopes.map((scope) => h`<li><label><input type="checkbox" name="scope" value="${scope}" checked> ${SCOPES[scope] ?? scope} <small>${scope}</small></label></li>`)}
</ul>
<p><button id="allow" name="decision" value="allow" autofocus>Log in as demo and allow</button> <button id="refuse" name="decision" value="refuse">Refuse</button></p>
</form>
<p class="soft">A demo service of the local platform: the user is <code>demo</code>, and there is no password.</p>`,
  );
}
