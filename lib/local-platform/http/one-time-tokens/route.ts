/** Route for tokens that open one page once. */
import * as v from 'valibot';
import { requireApp } from '../access.ts';
import { invalid } from '../errors.ts';
import { isPageOf, issueOneTimeToken } from './tokens.ts';
import { idParam, readJson } from '../request.ts';
import { json } from '../response.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';

const Body = v.strictObject({ path: v.string() });

export function oneTimeTokenRoutes(services: Services): Route[] {
  return [
    {
      path: '/v1/apps/:appId/one-time-tokens',
      auth: 'token',
      methods: {
        POST: async (c, access) => {
          const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
          const { path } = await readJson(c, Body);
          if (!isPageOf(app.id, path))
            throw invalid([{ path: '/path', message: 'path must be the path of a page of this app.' }]);
          return json(
            c,
            await issueOneTimeToken(services.db, { tokenId: access.tokenId, appId: app.id, path }, Date.now()),
            201,
          );
        },
      },
    },
  ];
}
