/** Evaluates in Firefox’s inspected page, as the panel’s document does. */
import type { ToolboxPanel } from '../../lib/browser-driver/firefox/toolbox.ts';

/** What the panel's document gets from the browser, unchanged. */
const EVALUATE = `
  const view = document.defaultView;
  return new Promise((resolve, reject) => {
    view.wrappedJSObject.browser.devtools.inspectedWindow.eval(arguments[1]).then(
      Cu.exportFunction((pair) => resolve(JSON.parse(JSON.stringify(Cu.waiveXrays(pair)))), view),
      Cu.exportFunction((error) => reject(String(error)), view),
    );
  });`;

export const evaluateInPage = (panel: ToolboxPanel, expression: string): Promise<unknown> =>
  panel.evaluate(EVALUATE, expression);
