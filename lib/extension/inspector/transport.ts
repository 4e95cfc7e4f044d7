/** The connection from the panel to the inspected page. Nothing above it knows how an expression gets there. */
export interface InspectorTransport {
  /**
   * Evaluates an expression in the page's main world. The expression must result in a string.
   * @throws CodedError `PAGE_BUSY` (no response within the time limit), `PAGE_UNREACHABLE` (this page can't be inspected),
   * `PAGE_EXCEPTION`
   */
  evaluate(expression: string): Promise<string>;
  /** Reloads the page, and runs the script before the page's first one. */
  reload?(script: string): void;
  /** Opens a resource in the Sources panel. `line` counts from 0. Resolves with false when DevTools has no such resource. */
  openResource?(url: string, line: number): Promise<boolean>;
  /** Calls the listener after each navigation. Returns a function that removes it. */
  onNavigated?(listener: () => void): () => void;
}
