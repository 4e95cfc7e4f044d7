/** What running V3 code in the inspected page needs. Apart from the code that uses it, which loads late. */
import type { InspectorTransport } from '../transport.ts';

export interface PageCode {
  transport: InspectorTransport;
  /** Loads the source text of `prover.js`. */
  loadProver: () => Promise<string>;
}
