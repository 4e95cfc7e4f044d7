/** `GET /v1/status` and the page at `/`: show that the platform is running, without a token. */
import { html } from 'hono/html';
import { json, page } from '../response.ts';
import { VERSION } from '../../version.ts';
import type { Route } from '../router.ts';

/** What this version offers beyond the specification that version 0.1.0 didn’t. */
const FEATURES = ['mocks', 'recordings'];

export const statusRoutes = (): Route[] => [
  {
    path: '/v1/status',
    auth: 'open',
    methods: { GET: (c) => json(c, { status: 'ok', version: VERSION, features: FEATURES }) },
  },
  { path: '/', auth: 'open', methods: { GET: (c) => page(c, 'Local platform', HOME) } },
];

const HOME = html`<h1>The local platform is running</h1>
  <p>
    In the options of the extension, add an environment with this URL and the token that the platform printed. Then open
    the <b>Platform</b> panel in DevTools.
  </p>
  <p class="soft">
    The REST API is at <code>/v1</code>. Every request needs the token in the <code>Auth-token</code> header.
  </p>`;
