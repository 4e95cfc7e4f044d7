/**
 * The routes of a platform that offers only what the specification shows: four REST endpoints under `/v1`, and pages
 * whose scripts and API are somewhere else (decisions, “A platform that offers only what the specification shows”).
 */
import type { Route } from '../router.ts';

/** The root of everything that pages load and call on such a platform. */
export const PAGES_ROOT = '/runtime';

const SPECIFIED: ReadonlySet<string> = new Set([
  '/v1/apps',
  '/v1/apps/:id/publish',
  '/v1/apps/:id/analytics/sessions',
  '/v1/apps/:appId/tasks/:taskId/compile',
  '/v3/apps/:appId/actions/:action/compile',
  '/v3/apps/:appId/actions/:action/versions',
  '/v3/apps/:appId/actions/:action/versions/:version',
  '/v3/apps/:appId/actions/:action/versions/:version/restore',
]);

/** Drops other routes that need a user’s token. Those for pages move, and then accept only the tokens of pages. */
export function specifiedRoutes(routes: readonly Route[]): Route[] {
  return routes.flatMap((route): Route[] => {
    if (SPECIFIED.has(route.path) || !/^\/v[13]\//.test(route.path)) return [route];
    const path = route.path.replace('/v1', PAGES_ROOT).replace(/^\/v3/, `${PAGES_ROOT}/v3`);
    if (route.auth === 'open') return [{ ...route, path }];
    return route.auth === 'page' ? [{ ...route, path, auth: 'only-page' }] : [];
  });
}
