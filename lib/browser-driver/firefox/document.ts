/** Runs functions in documents that Firefox shows outside of tabs, such as the panel or the popup. */
import type { Firefox } from './marionette.ts';

/**
 * Runs `script`, a function body that returns JSON, with the document as `document` and `args` as its further
 * arguments.
 * @param find a function body for the chrome context that returns the `<browser>` with the document
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
 * The document lives in a content process: a frame script goes there, and a message comes back. A `<browser>` that
 * loads its first document changes process, and loses what was sent to the previous one.
 */
const inDocument = (find: string): string => `
  const [script, args] = arguments;
  const browser = (function () {${find}})();
  if (!browser) return { error: 'No such document.' };
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
