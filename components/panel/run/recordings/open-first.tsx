/** Opens a recording before there’s an environment: a recorded run needs neither a page nor a platform. */
import type { JSX } from 'preact';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Alert } from '../../../ui/index.ts';
import { ImportButton } from '../history/past-runs.tsx';
import './recordings.css';

export function OpenFirst({ panel }: { panel: Panel }): JSX.Element {
  const error = panel.runs.error.value;
  return (
    <section class="open-first" aria-label="Runs">
      {error ? <Alert error={error} onDismiss={panel.runs.dismiss} /> : null}
      <p>
        A recorded run opens without an environment: <ImportButton panel={panel} />
      </p>
    </section>
  );
}
