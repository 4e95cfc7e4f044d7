/** Lists an action's stored revisions, compares one with the working copy, and restores it. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ActionRevision } from '../../../lib/platform-api/actions/revision.ts';
import { revisionSummary } from '../../../lib/extension/panel/actions/revisions.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Alert, Badge, Button } from '../../ui/index.ts';
import { DifferenceList } from '../shared/difference-list.tsx';
import { Loading } from '../shared/loading.tsx';
import { ActionTime } from '../shared/time.tsx';
import { usePlatformNow } from '../shared/use-now.ts';
import { ProductionBadge } from '../shell/guard-badges.tsx';
import type { ActionProps } from './action-detail.tsx';

export function RevisionsSection({ panel, state, action }: ActionProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const reason = panel.catalog.backend.value?.cannot.history ?? null;
  return (
    <section class="part" aria-label="Revisions">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Revisions</summary>
        {reason !== null ? <p class="muted">{reason}</p> : null}
        {isOpen && reason === null ? <List panel={panel} state={state} action={action} /> : null}
      </details>
    </section>
  );
}

function List(props: ActionProps): JSX.Element {
  const { state, action } = props;
  const { revisions } = state;
  useEffect(() => void revisions.show(action), [revisions, action]);
  const list = revisions.list.value;
  if (list.state === 'failed')
    return <Alert error={list.error} actions={<Button onClick={() => void revisions.refresh()}>Try again</Button>} />;
  if (!list.value) return <Loading>Loading revisions…</Loading>;
  if (list.value.length === 0) return <p class="remark">No revisions are stored.</p>;
  return (
    <ol class="revision-list" aria-label="Revisions, newest first">
      {list.value.map((revision) => (
        <Row key={revision.revision} {...props} revision={revision} />
      ))}
    </ol>
  );
}

function Row({ revision, ...props }: ActionProps & { revision: ActionRevision }): JSX.Element {
  const { revisions } = props.state;
  const now = usePlatformNow();
  const { revision: number, createdAt } = revision;
  const { what, who } = revisionSummary(revision);
  const isSelected = revisions.selected.value === number;
  const at = Date.parse(createdAt);
  return (
    <li data-revision={number}>
      <p>
        <strong>{number}</strong>
        <span>
          <span class="untrusted">
            {what}, {who}
          </span>{' '}
          <span class="muted">{Number.isNaN(at) ? null : <ActionTime at={at} now={now} />}</span>
        </span>
        {number === props.action.revision ? (
          <Badge>working copy</Badge>
        ) : (
          <Button
            kind="quiet"
            pressed={isSelected}
            label={`Compare revision ${number}`}
            onClick={() => void revisions.select(isSelected ? null : number)}
          >
            Compare
          </Button>
        )}
      </p>
      {isSelected ? <Comparison {...props} /> : null}
    </li>
  );
}

function Comparison({ panel, state, action }: ActionProps): JSX.Element {
  const { comparison, error, selected } = state.revisions;
  if (error.value) return <Alert error={error.value} onDismiss={() => void state.revisions.select(null)} />;
  if (!comparison.value) return <Loading>Loading revision {selected.value}…</Loading>;
  const { revision, differences } = comparison.value;
  const { busy } = state.work.of(action.id);
  const isSame = differences.length === 0;
  return (
    <div class="revision-diff" data-revision-diff={differences.length}>
      <p>
        {isSame
          ? 'This revision has the same content as the working copy.'
          : `Restoring this revision makes ${plural(differences.length, 'change')} to the working copy:`}
      </p>
      <DifferenceList differences={differences} />
      <div class="buttons">
        <Button
          unavailable={
            isSame
              ? 'Choose a revision that differs'
              : (state.cannotReach.value ?? (busy ? 'Wait for the current operation to finish' : null))
          }
          title="Adds a new revision. Live apps use it once it’s published"
          onClick={() => void state.restore(action, revision)}
        >
          {busy === 'restore' ? 'Restoring…' : `Restore revision ${revision}`}
        </Button>
        <ProductionBadge panel={panel} />
      </div>
    </div>
  );
}
