/** The connection from the panel to the inspected page. The layers above don't depend on how expressions are sent. */
export interface InspectorTransport {
  /**
   * Evaluates an expression in the page's main world. The result must be a string.
   * @throws CodedError `PAGE_BUSY` (no response within the time limit), `PAGE_UNREACHABLE` (this page can't be
   * inspected), `PAGE_EXCEPTION`
   */
  evaluate(expression: string): Promise<string>;
  /**
   * Set if nothing calls an evaluation, as in DevTools. Any caller in its stack is then code that the debugger paused.
   */
  readonly ownsStack?: boolean;
  /** Reloads the page, and runs the script before the page's first script. */
  reload?(script: string): void;
  /**
   * Opens a resource in the Sources panel. `line` is zero-based. Resolves with false if DevTools doesn't have the
   * resource.
   */
  openResource?(url: string, line: number): Promise<boolean>;
  /** Calls the listener after each navigation. Returns a function that removes it. */
  onNavigated?(listener: () => void): () => void;
}
