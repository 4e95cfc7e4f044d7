/** Owns the extension's panel in Firefox's toolbox: opening it, and running a function in its document. */
import { until } from '../../lib/demo/until.ts';
import type { Firefox } from './marionette.ts';

export interface ToolboxPanel {
  /** Runs `script` (a function body) in the panel's document as `document`; its answer must be JSON. */
  evaluate<T>(script: string, ...args: unknown[]): Promise<T>;
}

/** Opens the toolbox on the current tab and brings the one panel that an extension added to the front. */
export async function openToolboxPanel(firefox: Firefox): Promise<ToolboxPanel> {
  await firefox.chrome(`
    const { require } = ChromeUtils.importESModule('resource://devtools/shared/loader/Loader.sys.mjs');
    const { gDevTools } = require('devtools/client/framework/devtools');
    window.platformToolbox = await gDevTools.showToolboxForTab(gBrowser.selectedTab, { hostType: 'right' });
  `);
  const id = await until('the panel among the toolbox’s tools', () => firefox.chrome<string | null>('return [...window.platformToolbox.additionalToolDefinitions.keys()][0] ?? null;'));
  await firefox.chrome('await window.platformToolbox.selectTool(arguments[0]);', id);
  const panel: ToolboxPanel = {
    async evaluate(script, ...args) {
      const answer = await firefox.chrome<{ value?: unknown; error?: string }>(inPanel, id, script, JSON.stringify(args));
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value as never;
    },
  };
  await until('the document of the panel', () => panel.evaluate<boolean>("return document.readyState === 'complete' && document.location.pathname === '/panel.html';"), 30_000);
  return panel;
}

/** The panel's document lives in a process of its own: a frame script goes there, and a message comes back. */
const inPanel = `
  const [id, script, args] = arguments;
  const outer = window.platformToolbox.doc.querySelector('#toolbox-panel-iframe-' + CSS.escape(id));
  const browser = outer.contentDocument.querySelector('browser');
  const name = 'platform-devtools:' + Services.uuid.generateUUID();
  const source = '(function () {'
    + 'const answer = (value) => sendAsyncMessage(' + JSON.stringify(name) + ', value);'
    + 'const run = function (document) {' + script + '};'
    + 'Promise.resolve().then(() => run.apply(null, [content.document, ...' + args + '])).then((value) => answer({ value }), (error) => answer({ error: String(error) }));'
    + '})();';
  return new Promise((resolve) => {
    browser.messageManager.addMessageListener(name, function listener(message) {
      browser.messageManager.removeMessageListener(name, listener);
      resolve(message.data);
    });
    browser.messageManager.loadFrameScript('data:application/javascript;charset=utf-8,' + encodeURIComponent(source), false);
  });
`;
