/** Owns `GET /v1/auth/sso-callback`: the generic success page, which the browser alone reads the service's answer in. */
import { html, raw } from 'hono/html';
import { page } from '../answer.ts';
import { embeddable } from '../compile-page.ts';
import type { Route } from '../router.ts';
import type { AppOrigins } from '../services.ts';

/** Stricter than other pages': it talks to nobody, so that a code or token has no way out but `postMessage`. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const ssoCallbackRoutes = (appOrigins: () => AppOrigins): Route[] => [
  {
    path: '/v1/auth/sso-callback',
    auth: 'open',
    methods: {
      GET: (c) => {
        const { own, others } = appOrigins();
        // Of its own names the one that it was opened by: a browser warns of each that is not the opener's.
        const origins = [...own.filter((origin) => origin === new URL(c.req.url).origin), ...others];
        return page(
          c,
          'Login',
          html`<h1 id="title">Login</h1>
            <p id="text">This page needs JavaScript to give the service's answer to the app.</p>
            <script type="application/json" id="app-origins">
              ${raw(embeddable(origins))}
            </script>
            <script src="/v1/packages/sso-callback.js"></script>`,
          200,
          // It must keep the window that opened it, whichever page the login came by.
          { 'Content-Security-Policy': POLICY, 'Cross-Origin-Opener-Policy': 'unsafe-none' },
        );
      },
    },
  },
];
