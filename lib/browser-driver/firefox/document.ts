/** Owns running a function in a document that Firefox shows outside of its tabs, such as a panel's or a popup's. */
import type { Firefox } from './marionette.ts';

/**
 * Runs `script` (a function body) with the document as `document` and `args` as its further arguments; its answer must be JSON.
 * @param find a function body in the browser's own context that answers the `<browser>` which holds the document
 */
export async function evaluateIn<T>(firefox: Firefox, find: string, script: string, args: unknown[]): Promise<T> {
  const answer = await firefox.chrome<{ value?: unknown; error?: string }>(
    inDocument(find),
    script,
    JSON.stringify(args),
  );
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.value as T;
}

/**
 * The document lives in a process of its own: a frame script goes there, and a message comes back. A `<browser>` that is about to
 * get its document changes process, and takes nothing along of what was sent to the one it leaves.
 */
const inDocument = (find: string): string => `
  const [script, args] = arguments;
  const browser = (function () {${find}})();
  if (!browser) return { error: 'The document is not there.' };
  const name = 'platform-devtools:' + Services.uuid.generateUUID();
  const source = '(function () {'
    + 'const answer = (value) => sendAsyncMessage(' + JSON.stringify(name) + ', value);'
    + 'const run = function (document) {' + script + '};'
    + 'Promise.resolve().then(() => run.apply(null, [content.document, ...' + args + '])).then((value) => answer({ value }), (error) => answer({ error: String(error) }));'
    + '})();';
  const manager = browser.messageManager;
  return new Promise((resolve) => {
    const settle = (answer) => {
      clearInterval(watch);
      manager.removeMessageListener(name, listener);
      resolve(answer);
    };
    const listener = (message) => settle(message.data);
    const watch = setInterval(() => {
      if (browser.messageManager !== manager) settle({ error: 'The document moved to another process.' });
    }, 50);
    manager.addMessageListener(name, listener);
    manager.loadFrameScript('data:application/javascript;charset=utf-8,' + encodeURIComponent(source), false);
  });
`;
