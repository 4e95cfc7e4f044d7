/** Reads `ENV`, which the server embeds in the document as data, and installs it as a global. */

/** A script’s `const ENV` isn’t a property of the window. */
declare const ENV: unknown;

/** The page’s global `ENV`, or null when there is none. */
export function readEnv(): Record<string, unknown> | null {
  const env = typeof ENV === 'undefined' ? undefined : ENV;
  return typeof env === 'object' && env !== null ? (env as Record<string, unknown>) : null;
}

/** Sets the global `ENV` from the document’s data, unless the page already defines `ENV`. */
export function installEnv(document: Document): void {
  const text = document.getElementById('platform-env')?.textContent;
  if (text && readEnv() === null) Reflect.set(globalThis, 'ENV', JSON.parse(text));
}
