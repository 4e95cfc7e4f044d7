/** Owns `GET /v1/status` and the page at `/`: that the platform runs, told without a token. */
import { html } from 'hono/html';
import { json, page } from '../answer.ts';
import type { Route } from '../router.ts';

export const statusRoutes = (): Route[] => [
  { path: '/v1/status', auth: 'open', methods: { GET: (c) => json(c, { status: 'ok' }) } },
  { path: '/', auth: 'open', methods: { GET: (c) => page(c, 'Local platform', HOME) } },
];

const HOME = html`<h1>The local platform is running</h1>
  <p>
    Add this address and the token that it printed as an environment in the options of the extension, then open
    DevTools, tab <b>Platform</b>.
  </p>
  <p class="soft">
    The REST API is under <code>/v1</code>; every call carries the token in the header <code>Auth-token</code>.
  </p>`;
