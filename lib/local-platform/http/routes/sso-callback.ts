/** `GET /v1/auth/sso-callback`: the generic success page. Only the browser reads the service’s response. */
import { html, raw } from 'hono/html';
import { page } from '../response.ts';
import { embeddable } from '../compile-page.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';

/** Stricter than on other pages: without network access, a code or token can leave only through `postMessage`. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const ssoCallbackRoutes = ({ appOrigins, pagesRoot }: Services): Route[] => [
  {
    path: '/v1/auth/sso-callback',
    auth: 'open',
    methods: {
      GET: (c) => {
        const { own, others } = appOrigins();
        // Of the platform’s own origins, includes only the one in this URL, because browsers log a warning for each
        // `postMessage` to another origin.
        const origins = [...own.filter((origin) => origin === new URL(c.req.url).origin), ...others];
        return page(
          c,
          'Login',
          html`<h1 id="title">Login</h1>
            <p id="text">This page needs JavaScript to pass the service’s response to the app.</p>
            <script type="application/json" id="app-origins">
              ${raw(embeddable(origins))}
            </script>
            <script src="${pagesRoot}/packages/sso-callback.js"></script>`,
          200,
          // The page must keep its opener throughout the login.
          { 'Content-Security-Policy': POLICY, 'Cross-Origin-Opener-Policy': 'unsafe-none' },
        );
      },
    },
  },
];
