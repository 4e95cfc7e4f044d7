/** Routes for the debug pages of V3 actions, and for the scripts with their code. */
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import { codeScript } from '../../../../platform-api/actions-v3/script.ts';
import { copyOfV3, findActionV3, type CopyV3 } from '../../../apps/actions-v3/find.ts';
import { and, eq } from '../../../db/drizzle.ts';
import { actions, runs } from '../../../db/schema.ts';
import { requireApp, type AppRow } from '../../access.ts';
import type { Access } from '../../auth.ts';
import { embeddable } from '../../compile-page.ts';
import { absent } from '../../errors.ts';
import { idParam } from '../../request.ts';
import { file, json, page } from '../../response.ts';
import { bind, type Route } from '../../router.ts';
import type { Services } from '../../services.ts';
import { runtimeScripts } from '../debug.ts';
import { scriptPath, signedText, type ScriptKind } from './scripts.ts';

export const debugV3Routes = (services: Services): Route[] => [
  {
    path: '/v3/apps/:appId/actions/:action/compile',
    auth: 'token',
    methods: { GET: bind(services, compile) },
  },
  {
    path: '/v3/scripts/:signature/:kind/:id/code.js',
    auth: 'open',
    methods: { GET: (c) => script(services, c) },
  },
];

/** Returns the debug page of an action’s master copy, or its parts as JSON if the query has no `html`. */
async function compile(services: Services, c: Context, access: Access): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const reference = { text: (c.req.param('action') ?? '').slice(0, 40), by: 'id' as const };
  const { row, copy } = await findActionV3(services.db, app.id, reference, 'preview');
  const scripts = [...(await runtimeScripts(services)), scriptPath(services, 'actions', String(row.id))];
  if (c.req.query('html') === undefined) {
    const { origin } = new URL(c.req.url);
    const { name, code, dependencies } = copy;
    return json(c, { task: { id: row.id, name }, code, dependencies, scripts: scripts.map((path) => origin + path) });
  }
  const { organizationId } = app;
  const token = services.auth.pageToken(access, app.id);
  const env = { appId: app.id, taskId: row.id, organizationId, mode: 'preview', actionVersion: 'v3', token };
  return page(c, `${copy.name} · ${app.name}`, body(app, copy, env, scripts));
}

function body(app: AppRow, { name, code }: CopyV3, env: { taskId: number }, scripts: string[]) {
  return html`<h1>${name}</h1>
    <p class="soft">${app.name} · action ${env.taskId} · V3 · preview</p>
    <p>This is the action’s debug page. It does nothing until you run the action.</p>
    <ol>
      <li>Open DevTools (F12, or Ctrl+Shift+I; on a Mac Cmd+Option+I).</li>
      <li>On the Sources tab, open <code>code.js</code> under <code>v3/scripts</code>, and set breakpoints.</li>
      <li>Run the code in the console. The payload is the JSON in the query parameter <code>payload</code>:</li>
    </ol>
    <pre>await Platform.App.V3.Actions.Code.run()</pre>
    <p>With another payload:</p>
    <pre>await execute({ payload: { "id": 1 } })</pre>
    <h2>Code</h2>
    <pre>${code}</pre>
    <script type="application/json" id="platform-env">
      ${raw(embeddable(env))}
    </script>
    ${scripts.map((src) => html`<script src="${src}"></script> `)}`;
}

async function script(services: Services, c: Context): Promise<Response> {
  const { signature = '', kind = '', id = '' } = c.req.param();
  const isKnown = (kind === 'actions' || kind === 'runs') && services.auth.isSigned(signedText(kind, id), signature);
  const source = isKnown ? await SOURCES[kind as ScriptKind](services, id) : null;
  if (source === null) throw absent('code at this URL');
  return file(c, source, 'text/javascript');
}

/** The script of a signed, thus valid ID. Null if it’s gone. */
const SOURCES: Record<ScriptKind, (services: Services, id: string) => Promise<string | null>> = {
  async actions({ db }, id) {
    const [row] = await db
      .select()
      .from(actions)
      .where(and(eq(actions.id, Number(id)), eq(actions.actionVersion, 'v3')));
    return row ? codeScript(copyOfV3(row, 'preview').code) : null;
  },
  async runs({ db }, id) {
    const [run] = await db.select({ request: runs.request }).from(runs).where(eq(runs.id, id));
    return run?.request.v3 ? codeScript(run.request.v3.code, id) : null;
  },
};
