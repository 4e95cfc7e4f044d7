/** Installs the prover. The panel evaluates this script in the inspected page’s main world when code is to be proved. */
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { installProver } from '../lib/extension/inspector/migrate/agent/prover.ts';

export default defineUnlistedScript({ globalName: false, main: installProver });
