/** The way from V2 to V3: the draft, and the plan to switch over as a checklist. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Migrating } from '../../../../lib/extension/panel/migrate/migrating.ts';
import type { ShownStep } from '../../../../lib/extension/panel/migrate/switch-over/checklist.ts';
import { driftText, SETTLE } from '../../../../lib/extension/panel/migrate/switch-over/drift-text.ts';
import { type Switching, switchingOf } from '../../../../lib/extension/panel/migrate/switch-over/switching.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Alert, Button, Notice } from '../../../ui/index.ts';
import { Loading } from '../../shared/loading.tsx';
import { CallSitesView } from './call-sites-view.tsx';
import { DraftForm } from './draft-form.tsx';
import { GapView } from './gap-view.tsx';
import { LimitsView } from './limits-view.tsx';
import './switch-over.css';

export interface SwitchOverProps {
  panel: Panel;
  migrating: Migrating;
}

export function SwitchOverView({ panel, migrating }: SwitchOverProps): JSX.Element {
  const switching = switchingOf(panel, migrating);
  const plan = switching.plan.value;
  const error = switching.error.value;
  const isReady = switching.isLoaded.value && plan !== null;
  return (
    <section class="fill scroll switch-over" aria-label="Switch over" aria-busy={switching.busy.value !== null}>
      {error ? <Alert error={error} onDismiss={switching.dismiss} /> : null}
      <Interrupted switching={switching} />
      <Drifted switching={switching} />
      {switching.isOutdated.value ? (
        <Notice
          code="DRAFT_OUTDATED"
          actions={
            <Button
              unavailable={
                switching.busy.value ? 'Wait until the current step has ended' : switching.cannotUpdate.value
              }
              onClick={() => void switching.updateDraft()}
            >
              Update draft
            </Button>
          }
        >
          The code has changed since the draft was created.
        </Notice>
      ) : null}
      {isReady ? (
        <>
          <ol class="switch-steps" aria-label="Plan">
            {switching.steps.value.map((shown, index) => (
              <Step key={shown.step.id} number={index + 1} switching={switching} shown={shown} />
            ))}
          </ol>
          <LimitsView switching={switching} limits={plan.limits} />
          <CallSitesView switching={switching} calls={plan.calls} copyText={panel.services.copyText} />
        </>
      ) : error ? (
        <Button onClick={() => void switching.load()}>Try again</Button>
      ) : (
        <Loading>Reading both versions…</Loading>
      )}
    </section>
  );
}

/** A step that has no known end, because the panel or the browser closed during it, or a request failed. */
function Interrupted({ switching }: { switching: Switching }): JSX.Element | null {
  const goal = switching.situation.value?.journal.goal ?? null;
  if (goal === null || switching.busy.value !== null || !switching.isLoaded.value) return null;
  return (
    <Notice
      code="STEP_INTERRUPTED"
      actions={
        <>
          <Button onClick={() => void switching.resume()}>Continue</Button>
          <Button onClick={() => void switching.back()}>Go back</Button>
        </>
      }
    >
      The last step hasn’t ended, and both versions were loaded again. Continue it, or go back.
    </Notice>
  );
}

/** A late request or someone else has changed one of the versions. */
function Drifted({ switching }: { switching: Switching }): JSX.Element | null {
  const situation = switching.situation.value;
  const drift = situation?.drift ?? null;
  if (!situation || drift === null) return null;
  const wait = switching.busy.value === null ? null : 'Wait until the current step has ended';
  return (
    <Notice
      code="SWITCH_DRIFTED"
      actions={
        <Button unavailable={wait} onClick={() => void switching.settle()}>
          {SETTLE}
        </Button>
      }
    >
      {driftText(drift, situation)}
    </Notice>
  );
}

const STATES = { done: '✓', next: '→', later: '·' };
const STATE_NAMES = { done: 'Done', next: 'Next', later: 'Not yet' };

interface StepProps {
  number: number;
  switching: Switching;
  shown: ShownStep;
}

function Step({ number, switching, shown: { step, state } }: StepProps): JSX.Element {
  const title = `switch-step-${step.id}`;
  const heading = useRef<HTMLHeadingElement>(null);
  const isWaiting = state === 'next' && switching.busy.value === null;
  // The button that was pressed is gone.
  useEffect(() => {
    if (isWaiting && document.activeElement === document.body) heading.current?.focus();
  }, [isWaiting]);
  return (
    <li class="part switch-step" data-step={step.id} data-state={state} aria-labelledby={title}>
      <h3 id={title} ref={heading} tabIndex={-1}>
        <span aria-hidden="true">{STATES[state]}</span> {number}. {step.title}{' '}
        <span class="muted">{STATE_NAMES[state]}</span>
      </h3>
      <dl class="facts">
        <Fact name="Changes" text={step.changes} />
        <Fact name="Live then" text={step.live} />
        <Fact name="Risk" text={step.risk} />
        <Fact name="Way back" text={step.back} />
      </dl>
      {step.id === 'draft' && state === 'next' ? <DraftForm switching={switching} /> : null}
      {step.id === 'gap' ? <GapView switching={switching} /> : null}
      <StepButtons switching={switching} shown={{ step, state }} />
    </li>
  );
}

function StepButtons({ switching, shown: { step, state } }: Omit<StepProps, 'number'>): JSX.Element | null {
  const { busy } = switching;
  const wait = busy.value === null ? null : 'Wait until the current step has ended';
  const isUndoable = switching.undoable.value?.id === step.id;
  if (state !== 'next' && !isUndoable) return null;
  const reason = step.id === 'draft' ? switching.cannotCreate.value : null;
  return (
    <div class="buttons">
      {state === 'next' ? (
        <Button kind="primary" unavailable={wait ?? reason} onClick={() => void switching.take(step)}>
          {busy.value === step.verb ? 'Working…' : step.verb}
        </Button>
      ) : null}
      {isUndoable ? (
        <Button unavailable={wait} onClick={() => void switching.back()}>
          Go back
        </Button>
      ) : null}
    </div>
  );
}

function Fact({ name, text }: { name: string; text: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="untrusted">{text}</dd>
    </div>
  );
}
