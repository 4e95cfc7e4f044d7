/** Runs functions in documents that Firefox shows outside of tabs, such as the panel and the popup. */
import type { Firefox } from './marionette.ts';

/**
 * Runs `script`, a function body that returns JSON. It gets the document as `document`, followed by `args`.
 * @param find a function body for the chrome context that returns the document’s `<browser>`
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
 * The document lives in a content process, so a frame script runs there and messages the result back. When a
 * `<browser>` loads its first document, it switches processes and loses everything sent to the old one.
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
