/** Renders an action’s debug page: `ENV` as data, the runtime, and one script per function package. */
import { html, raw } from 'hono/html';
import type { CompileEnv } from '../../platform-api/index.ts';

/** Escapes JSON for use in a script element: it can’t end the element, open a comment, or break a line. */
export function embeddable(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @param scripts URLs, the runtime first */
export function compilePage(action: string, app: string, env: CompileEnv, scripts: string[]) {
  return html`<h1>${action}</h1>
    <p class="soft">${app} · action ${env.taskId} · ${env.mode}</p>
    <p>This is the action’s debug page. It does nothing until you run the action.</p>
    <ol>
      <li>Open DevTools (F12, or Ctrl+Shift+I; on a Mac Cmd+Option+I).</li>
      <li>Open the <b>Platform</b> tab, enter a payload if the action needs one, and choose <b>Run</b>.</li>
    </ol>
    <p>
      Without the extension, run it in the console. The payload is the JSON in the query parameter
      <code>payload</code>:
    </p>
    <pre>await Platform.App.Actions.Pipeline.run()</pre>
    <p class="soft">You find the functions on the Sources tab, under <code>functions</code>.</p>
    <script type="application/json" id="platform-env">
      ${raw(embeddable(env))}
    </script>
    ${scripts.map((src) => html`<script src="${src}"></script> `)}`;
}
