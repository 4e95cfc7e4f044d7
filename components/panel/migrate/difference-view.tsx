/** One difference between V2 and V3: both values, and what can be done about it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { differenceText, valueText } from '../../../lib/extension/panel/migrate/describe-proof.ts';
import type { Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import { Field } from '../../ui/field.tsx';
import { Badge, Button } from '../../ui/index.ts';

interface DifferenceViewProps {
  migrating: Migrating;
  difference: ReturnType<Migrating['differencesAt']>[number]['difference'];
  /** Index of the compared run. */
  run: number;
}

export function DifferenceView({ migrating, difference, run }: DifferenceViewProps): JSX.Element {
  const { edit, proving } = migrating;
  const [isAccepting, setAccepting] = useState(false);
  const accepted = edit.reasonOf(difference);
  const label = proving.proved.value?.runs[run]?.label ?? '';
  return (
    <article class="migrate-difference" data-difference={difference.what} aria-label={`Difference in ${label}`}>
      <p>
        <strong class="untrusted">{differenceText(difference)}</strong> <span class="muted untrusted">{label}</span>{' '}
        {accepted === null ? null : <Badge>Accepted</Badge>}
      </p>
      <dl class="both-sides">
        <dt>V2</dt>
        <dd>
          <pre class="untrusted">{valueText(difference.v2)}</pre>
        </dd>
        <dt>V3</dt>
        <dd>
          <pre class="untrusted">{valueText(difference.v3)}</pre>
        </dd>
      </dl>
      {accepted === null ? null : <p class="untrusted">Accepted: {accepted}</p>}
      {isAccepting ? (
        <AcceptForm
          onAccept={(reason) => {
            edit.accept(difference, reason);
            setAccepting(false);
          }}
          onCancel={() => setAccepting(false)}
        />
      ) : (
        <div class="buttons">
          <Button
            unavailable={migrating.cannotCompare.value}
            title="Show both runs step by step on the Run tab"
            onClick={() => void migrating.compare(run)}
          >
            Open in Compare
          </Button>
          {accepted === null ? (
            <Button
              kind="quiet"
              title="Say why this difference is fine. The report keeps it"
              onClick={() => setAccepting(true)}
            >
              Accept this difference…
            </Button>
          ) : (
            <Button kind="quiet" onClick={() => edit.withdraw(difference)}>
              Don’t accept
            </Button>
          )}
        </div>
      )}
    </article>
  );
}

interface AcceptFormProps {
  onAccept: (reason: string) => void;
  onCancel: () => void;
}

function AcceptForm({ onAccept, onCancel }: AcceptFormProps): JSX.Element {
  const [reason, setReason] = useState('');
  const isEmpty = reason.trim() === '';
  const accept = (): void => {
    if (!isEmpty) onAccept(reason.trim());
  };
  return (
    <div class="migrate-accept">
      <Field
        name="accept-reason"
        label="Why is this difference fine?"
        value={reason}
        onInput={setReason}
        onEnter={accept}
        hint="The step still differs. The report has your reason."
      />
      <div class="buttons">
        <Button kind="primary" unavailable={isEmpty ? 'Enter a reason' : null} onClick={accept}>
          Accept
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}
