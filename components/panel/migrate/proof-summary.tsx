/** What the proof has found, on one or two lines. */
import type { JSX } from 'preact';
import { comparedText, progressText, strengthText } from '../../../lib/extension/panel/migrate/describe-proof.ts';
import type { Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import { Button, Notice } from '../../ui/index.ts';

export function ProofSummary({ migrating, onRun }: { migrating: Migrating; onRun: () => void }): JSX.Element {
  const { proving, gathered, isStale } = migrating;
  const proved = proving.proved.value;
  const strength = proving.strength.value;
  const progress = proving.progress.value;
  if (!proved && gathered.value?.runs.length === 0)
    return (
      <Notice code="NO_RUNS" actions={<Button onClick={onRun}>Open in Run</Button>}>
        <strong>Record a run first.</strong> The proof compares the code with what recorded runs of V2 did. Run the
        action with payloads that take all of its branches.
      </Notice>
    );
  return (
    <p class="remark migrate-summary" role="status" data-proof={progress ? 'running' : proved ? 'ended' : 'none'}>
      {isStale.value ? <strong>You changed the code since the last proof. </strong> : null}
      {proved ? comparedText(proved, migrating.aside.value.length) : null}{' '}
      {strength && !isStale.value ? strengthText(strength) : null}{' '}
      {progress ? <span class="migrate-progress">{progressText(progress)}</span> : null}
      {!progress && !proved ? (migrating.cannotProve.value ?? 'Nothing was compared yet.') : null}
    </p>
  );
}
