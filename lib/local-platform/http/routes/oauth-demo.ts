/** `GET /v1/oauth-demo`: the configurations of `Platform.OAuth2` for the demo services. */
import { demoConfigurations } from '../../oauth-demo/index.ts';
import { json } from '../response.ts';
import { HttpError } from '../errors.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';

export const oauthDemoRoutes = (services: Services): Route[] => [
  {
    path: '/v1/oauth-demo',
    auth: 'page',
    methods: {
      GET: (c) => {
        if (!services.oauthDemo) throw new HttpError(404, 'OAUTH_DEMO_OFF', 'The OAuth2 demo services are turned off.');
        return json(c, {
          services: demoConfigurations(services.oauthDemo, new URL(c.req.url).origin + services.pagesRoot),
        });
      },
    },
  },
];
