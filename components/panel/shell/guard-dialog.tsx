/** Asks before an operation, as the production guard says. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { OpenQuestion, ProductionGuard } from '../../../lib/extension/panel/shared/production-guard.ts';
import { Checkbox } from '../../ui/field.tsx';
import { Badge } from '../../ui/index.ts';
import { QuestionDialog } from '../shared/question-dialog.tsx';

export function GuardDialog({ guard }: { guard: ProductionGuard }): JSX.Element | null {
  const open = guard.question.value;
  return open ? <Question guard={guard} open={open} /> : null;
}

function Question({ guard, open: { environment, question } }: { guard: ProductionGuard; open: OpenQuestion }) {
  const [unlock, setUnlock] = useState(false);
  const doubt = environment ? '' : 'Couldn’t load the environments, so this page might be production. ';
  return (
    <QuestionDialog
      title={`${question.title}${environment ? ` on ${guard.label(environment)}` : ''}`}
      effect={doubt + question.effect}
      button={question.button}
      onConfirm={() => guard.confirm(unlock)}
      onCancel={guard.cancel}
      above={environment?.production ? <Badge tone="danger">Production</Badge> : null}
      below={
        question.always || !environment ? null : (
          <Checkbox name="unlock" label="Don’t ask again for 15 minutes" checked={unlock} onChange={setUnlock} />
        )
      }
    />
  );
}
