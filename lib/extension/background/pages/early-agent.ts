/**
 * Has the browser start the agent before a page’s first script, for a single navigation. Until it’s unregistered,
 * the script runs in every tab that loads the page, so it does nothing without the marker that the tab’s request rule adds.
 */

/** The file that the browser runs in the page. */
export const EARLY_AGENT = 'early-agent.js';

interface PageScript {
  id: string;
  js: string[];
  matches: string[];
  runAt: 'document_start';
  world: 'MAIN';
  allFrames: false;
  persistAcrossSessions: false;
}

/** The subset of `browser.scripting` that this module uses. */
export interface PageScripts {
  registerContentScripts(scripts: PageScript[]): Promise<void>;
  unregisterContentScripts(filter?: { ids: string[] }): Promise<void>;
}

/** A match pattern for a page, with any port and any further query: Firefox’s patterns have no port. */
export function pagePattern(url: string): string {
  const { protocol, hostname, pathname, search } = new URL(url);
  return `${protocol}//${hostname}${pathname}${search}*`;
}

export class EarlyAgents {
  readonly #scripts: PageScripts;
  #nextId = 0;
  #started: Promise<void> | null = null;

  constructor(scripts: PageScripts) {
    this.#scripts = scripts;
  }

  /** Removes scripts left by a stopped worker, once. */
  start(): Promise<void> {
    return (this.#started ??= this.#scripts.unregisterContentScripts().catch((error: unknown) => {
      this.#started = null;
      throw error;
    }));
  }

  /**
   * Runs `navigate` while the script is registered, and always removes the script afterward. It stays until the page
   * has loaded, because the browser runs it with the first bytes of the document, which can arrive long after the
   * response has started. The page also opens if the browser refuses the script.
   */
  async during<T>(url: string, navigate: () => Promise<T>): Promise<T> {
    const script = await this.#register(url).catch(() => null);
    try {
      return await navigate();
    } finally {
      // A script that is left does nothing without the marker, and goes when the worker starts again.
      if (script) await this.#scripts.unregisterContentScripts({ ids: [script] }).catch(() => {});
    }
  }

  async #register(url: string): Promise<string> {
    await this.start();
    const id = `early-agent-${this.#nextId++}`;
    await this.#scripts.registerContentScripts([
      {
        id,
        js: [EARLY_AGENT],
        matches: [pagePattern(url)],
        runAt: 'document_start',
        world: 'MAIN',
        allFrames: false,
        persistAcrossSessions: false,
      },
    ]);
    return id;
  }
}
