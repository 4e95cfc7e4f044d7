/** What the proof has found, on one or two lines. */
import type { JSX } from 'preact';
import { comparedText, progressText, strengthText } from '../../../lib/extension/panel/migrate/describe-proof.ts';
import type { Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import { Button, Notice } from '../../ui/index.ts';

interface ProofSummaryProps {
  migrating: Migrating;
  onRun: () => void;
}

export function ProofSummary({ migrating, onRun }: ProofSummaryProps): JSX.Element {
  const { proving, gathered } = migrating;
  const isWithoutRuns = !proving.proved.value && gathered.value?.runs.length === 0;
  return isWithoutRuns ? <NoRuns migrating={migrating} onRun={onRun} /> : <Summary migrating={migrating} />;
}

function NoRuns({ migrating, onRun }: ProofSummaryProps): JSX.Element {
  const { aside = [], runsError = null } = migrating.gathered.value ?? {};
  if (runsError !== null)
    return (
      <Notice code="RUNS_UNKNOWN" actions={<Button onClick={() => void migrating.proveAgain()}>Try again</Button>}>
        <strong>Unknown which runs are recorded.</strong> {runsError}
      </Notice>
    );
  return (
    <Notice code="NO_RUNS" actions={<Button onClick={onRun}>Open in Run</Button>}>
      <strong>{aside.length > 0 ? 'No recorded run can be compared.' : 'Record a run first.'}</strong> The proof
      compares the code with what recorded runs of V2 did. Run the action with payloads that take all of its branches.
    </Notice>
  );
}

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
      {!progress && !proved ? (migrating.cannotProve.value ?? 'Nothing was compared yet.') : null}
    </p>
  );
}
