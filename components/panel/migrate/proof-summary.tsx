/** What the proof has found, on one or two lines. */
import type { JSX } from 'preact';
import { comparedText, progressText, strengthText } from '../../../lib/extension/panel/migrate/describe-proof.ts';
import type { Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button, Notice } from '../../ui/index.ts';
import { NoPageStep } from './page-step.tsx';

interface ProofSummaryProps {
  panel: Panel;
  migrating: Migrating;
}

export function ProofSummary({ panel, migrating }: ProofSummaryProps): JSX.Element {
  const { proving, gathered, noPage } = migrating;
  if (proving.proved.value || proving.progress.value) return <Summary migrating={migrating} />;
  if (gathered.value?.runs.length === 0) return <NoRuns panel={panel} migrating={migrating} />;
  if (noPage.value === null) return <Summary migrating={migrating} />;
  return (
    <Notice code="NO_PAGE" actions={<NoPageStep panel={panel} actionId={migrating.action.id} />}>
      <strong>{noPage.value}.</strong> Only pages of the app get its recorded runs.
    </Notice>
  );
}

function NoRuns({ panel, migrating }: ProofSummaryProps): JSX.Element {
  const { aside = [], runsError = null } = migrating.gathered.value ?? {};
  if (runsError !== null)
    return (
      <Notice code="RUNS_UNKNOWN" actions={<Button onClick={() => void migrating.proveAgain()}>Try again</Button>}>
        <strong>Unknown which runs are recorded.</strong> {runsError}
      </Notice>
    );
  return (
    <Notice
      code="NO_RUNS"
      actions={<Button onClick={() => void panel.openInRun(migrating.action.id)}>Open in Run</Button>}
    >
      <strong>{aside.length > 0 ? 'No recorded run can be compared.' : 'Record a run first.'}</strong> The proof
      compares the code with what recorded runs of V2 did. Run the action with payloads that take all of its branches.
    </Notice>
  );
}

const NOT_PROVED =
  'Nothing was compared yet. Select Prove: the page in the tab gets the recorded runs, and compares the code with them.';

function Summary({ migrating }: { migrating: Migrating }): JSX.Element {
  const { proving, gathered, isStale } = migrating;
  const proved = proving.proved.value;
  const strength = proving.strength.value;
  const progress = proving.progress.value;
  const runsError = gathered.value?.runsError;
  return (
    <p class="remark migrate-summary" role="status" data-proof={progress ? 'running' : proved ? 'ended' : 'none'}>
      {runsError ? <strong>{runsError} </strong> : null}
      {isStale.value ? <strong>You changed the code since the last proof. </strong> : null}
      {proved ? comparedText(proved, migrating.aside.value.length) : null}{' '}
      {strength && !isStale.value ? strengthText(strength) : null}{' '}
      {progress ? <span class="migrate-progress">{progressText(progress)}</span> : null}
      {!progress && !proved ? (migrating.cannotProve.value ?? NOT_PROVED) : null}
    </p>
  );
}
