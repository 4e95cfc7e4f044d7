/** Routes for an app’s preview page and live page, and for their screens’ scripts. */
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { AppEnv } from '../../../platform-api/index.ts';
import { and, eq } from '../../db/drizzle.ts';
import { screens, type ScreenAsset } from '../../db/schema.ts';
import { requireApp, type AppRow } from '../access.ts';
import { file, page } from '../response.ts';
import type { Access, Mode } from '../auth.ts';
import { embeddable } from '../compile-page.ts';
import { absent, conflict, notFound } from '../errors.ts';
import { idParam } from '../request.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';
import { runtimeScripts } from './debug.ts';

type Screen = typeof screens.$inferSelect;

const TYPES: Record<Exclude<ScreenAsset['kind'], 'package'>, string> = {
  script: 'text/javascript',
  style: 'text/css',
  image: 'image/svg+xml',
};

export function screenRoutes(services: Services): Route[] {
  const { db, auth, pagesRoot } = services;

  /** Pages load assets without a header, so the signature in the URL grants access. */
  const assetUrl = (screen: Screen, mode: Mode, name: string): string =>
    `${pagesRoot}/screens/${auth.signed(signedText(screen.id, mode))}/${screen.id}/${mode}/${name}`;

  function open(mode: Mode) {
    return async (c: Context, access: Access): Promise<Response> => {
      const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
      if (mode === 'live' && app.version === null)
        throw conflict('APP_UNPUBLISHED', `The app ${app.name} has no live version yet.`);
      const screen = await openScreen(db, c, app);
      const env: AppEnv = {
        appId: app.id,
        organizationId: app.organizationId,
        mode,
        pageId: screen?.id ?? null,
        token: auth.pageToken(access, app.id, mode),
      };
      const assets = screen ? assetsOf(screen, mode) : [];
      const of = (kind: ScreenAsset['kind']): string[] =>
        assets.filter((asset) => asset.kind === kind).map(({ name }) => assetUrl(screen!, mode, name));
      const packages = assets
        .filter(({ kind }) => kind === 'package')
        .map(({ name }) => `${pagesRoot}/packages/${name}.js`);
      return page(
        c,
        `${app.name} · ${mode}`,
        body(app, screen, env, [...(await runtimeScripts(services)), ...packages, ...of('script')], of('style')),
      );
    };
  }

  return [
    { path: '/v1/apps/:appId/preview', auth: 'token', methods: { GET: open('preview') } },
    { path: '/v1/apps/:appId/live', auth: 'token', methods: { GET: open('live') } },
    {
      path: '/v1/screens/:signature/:pageId/:mode/:file',
      auth: 'open',
      methods: {
        GET: async (c) => {
          const { signature = '', mode, file: name = '' } = c.req.param();
          const id = idParam(c, 'pageId', 'screen');
          if ((mode !== 'preview' && mode !== 'live') || !auth.isSigned(signedText(id, mode), signature))
            throw absent(`screen ${id} at this URL`);
          const [screen] = await db.select().from(screens).where(eq(screens.id, id));
          const asset = screen && assetsOf(screen, mode).find((each) => each.name === name);
          if (!asset || asset.kind === 'package')
            throw absent(`file ${JSON.stringify(name.slice(0, 80))} of screen ${id}`);
          return file(c, asset.source, TYPES[asset.kind]);
        },
      },
    },
  ];
}

/** Returns the screen that `?page=` names. Defaults to the app’s start screen, if it has one. */
async function openScreen(db: Services['db'], c: Context, app: AppRow): Promise<Screen | null> {
  const wanted = c.req.query('page');
  const id = wanted === undefined ? app.startingPageId : /^[1-9]\d{0,8}$/.test(wanted) ? Number(wanted) : -1;
  const [screen] =
    id === null
      ? []
      : await db
          .select()
          .from(screens)
          .where(and(eq(screens.id, id), eq(screens.appId, app.id)));
  if (!screen && wanted !== undefined) throw notFound(`screen ${JSON.stringify(wanted.slice(0, 40))} in app ${app.id}`);
  return screen ?? null;
}

const signedText = (pageId: number, mode: Mode): string => `screen ${pageId} ${mode}`;

const assetsOf = (screen: Screen, mode: Mode): ScreenAsset[] =>
  mode === 'preview' ? screen.assets : (screen.published ?? []);

function body(app: AppRow, screen: Screen | null, env: AppEnv, scripts: string[], styles: string[]) {
  return html`${styles.map((href) => html`<link rel="stylesheet" href="${href}" /> `)}
    <h1>${app.name}</h1>
    <p class="soft">${screen ? `${screen.title} · screen ${screen.id} · ` : ''}${env.mode}</p>
    <div id="screen"></div>
    <script type="application/json" id="platform-env">
      ${raw(embeddable(env))}
    </script>
    ${scripts.map((src) => html`<script src="${src}"></script> `)}`;
}
