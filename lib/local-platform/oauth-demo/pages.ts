/** Renders the demo services’ pages, with a policy that forbids scripts. */
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { DemoResponse } from './response.ts';

export type Html = HtmlEscapedString;

/** Hono’s `html` tag, which escapes every value. If none of the values is a promise, the result is a string. */
export const h = html as (strings: TemplateStringsArray, ...values: unknown[]) => Html;
export { raw };

/** @param formTargets origins that a form can redirect to: Chromium applies form-action to redirects too */
export function pageHeaders(formTargets: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

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

/**
 * Renders a page with one paragraph.
 * @param redirectTo a URL that the browser opens automatically
 */
export function pageResponse(status: number, title: string, text: string, redirectTo?: string): DemoResponse {
  const head = redirectTo === undefined ? undefined : h`<meta http-equiv="refresh" content="0; url=${redirectTo}">`;
  return {
    status,
    headers: pageHeaders(),
    body: Buffer.from(pageText(title, h`<h1>${title}</h1>\n<p>${text}</p>`, head)),
  };
}

const SCOPES = new Map([
  ['openid', 'Know who you are'],
  ['profile', 'Read your name and email'],
  ['items.read', 'Read your items'],
  ['items.write', 'Add, change, and remove items'],
  ['offline_access', 'Keep you logged in'],
]);

export interface LoginPage {
  service: string;
  client: string;
  scopes: readonly string[];
  action: string;
  /** Values of hidden fields. */
  hidden?: Record<string, string>;
}

/** The login and consent page of both services: one form that takes one click. */
export function loginPage({ service, client, scopes, action, hidden = {} }: LoginPage): string {
  const fields = Object.entries(hidden).map(
    ([name, value]) => h`<input type="hidden" name="${name}" value="${value}">`,
  );
  const options = scopes.map(
    (scope) =>
      h`<li><label><input type="checkbox" name="scope" value="${scope}" checked> ${SCOPES.get(scope) ?? scope}
<small>${scope}</small></label></li>`,
  );
  return pageText(
    `Log in to ${service}`,
    h`<h1>${service}</h1>
<p><b>${client}</b> requests permission to:</p>
<form method="post" action="${action}">
${fields}
<ul>
${options}
</ul>
<p><button id="allow" name="decision" value="allow" autofocus>Log in as demo and allow</button>
<button id="refuse" name="decision" value="refuse">Deny</button></p>
</form>
<p class="soft">A demo service of the local platform. The user is <code>demo</code> and needs no password.</p>`,
  );
}
