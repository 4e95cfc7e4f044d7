/** Says where and why a run is paused, and controls it. It stays until the run ends, so that no button moves. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { CANNOT_RETRY, describePause } from '../../../../lib/extension/panel/run/debug/describe-pause.ts';
import type { StepPause } from '../../../../lib/extension/panel/run/debug/pause-control.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../../ui/index.ts';
import { late } from '../../shared/late.tsx';
import { type Command, CommandIcon } from './icons.tsx';
import './debug.css';

const OutcomeForm = late(() => import('./outcome-form.tsx').then((module) => module.OutcomeForm));

export function PauseBar({ panel }: { panel: Panel }): JSX.Element | null {
  const { runs, debug } = panel;
  const pausedRun = useRef<string | null>(null);
  const pause = debug.pause.current.value;
  const live = runs.live.value;
  if (pause) pausedRun.current = live;
  if (live === null || pausedRun.current !== live) return null;
  return (
    <>
      <section class="pause-bar" aria-label="Debugger" data-paused={pause?.reason ?? ''}>
        {pause ? <PauseText panel={panel} pause={pause} /> : <p class="pause-text">Running…</p>}
        <span class="commands">
          {pause?.reason === 'failure' ? <RetryButton panel={panel} pause={pause} /> : null}
          {pause ? (
            <Go panel={panel} of="resume" label="Resume" keys="F8" go={{ go: 'resume' }} />
          ) : (
            <PauseButton panel={panel} isIcon />
          )}
          <Go panel={panel} of="over" label="Step over" keys="F10" go={{ go: 'over' }} />
          <Go panel={panel} of="into" label="Step into" keys="F11" go={{ go: 'into' }} />
          <Go
            panel={panel}
            of="out"
            label="Step out"
            about="of the block, or to the next iteration"
            keys="Shift+F11"
            go={{ go: 'out' }}
          />
          <Go panel={panel} of="skip" label="Skip step" go={{ go: 'over', outcome: { skip: true } }} />
          <OutcomeButton panel={panel} pause={pause} />
          <Button kind="quiet" label="Stop the run" title="Stop the run" onClick={() => void runs.stop()}>
            <CommandIcon of="stop" />
          </Button>
        </span>
      </section>
      {pause && debug.outcome.isOpen.value ? <OutcomeForm debug={debug} /> : null}
    </>
  );
}

function PauseText({ panel, pause }: { panel: Panel; pause: StepPause }): JSX.Element {
  const { debug, runs } = panel;
  const { traceStep, run } = pause;
  const breakpoint = debug.breakpoints.byPath.value.get(traceStep.path ?? '');
  const { title, reason, detail, edited, tone } = describePause(pause, debug.labelOf(traceStep), breakpoint);
  const isShown = runs.shown.value === run;
  return (
    <p class="pause-text untrusted" role="status">
      <strong>{title}</strong> <span class={`badge ${tone}`}>{reason}</span>
      {detail ? (
        <span class="detail" title={detail}>
          {' '}
          {detail}
        </span>
      ) : null}
      {edited ? (
        <span class="detail" data-pause-edited="" title={edited}>
          {' '}
          · {edited}
        </span>
      ) : null}
      {isShown ? null : (
        <Button kind="quiet" onClick={() => debug.showPause()}>
          Show
        </Button>
      )}
    </p>
  );
}

/** Runs the failed step again, in the context as it is now. */
function RetryButton({ panel: { debug }, pause }: { panel: Panel; pause: StepPause }): JSX.Element {
  return (
    <Button
      kind="primary"
      title="Run the step again, with its settings filled in from the context as it is now"
      unavailable={pause.canRetry ? debug.pause.cannotResume.value : CANNOT_RETRY}
      onClick={() => void debug.pause.resume({ go: 'resume', outcome: { retry: true } })}
    >
      Retry step
    </Button>
  );
}

function OutcomeButton({ panel: { debug }, pause }: { panel: Panel; pause: StepPause | null }): JSX.Element {
  const { outcome } = debug;
  const isIf = outcome.branches.value.length > 0;
  return (
    <Button
      kind="quiet"
      title={isIf ? 'Choose the branch, or an outcome instead of the step' : 'Choose an outcome instead of the step'}
      unavailable={debug.pause.cannotResume.value}
      pressed={pause !== null && outcome.isOpen.value}
      onClick={outcome.isOpen.value ? outcome.close : outcome.open}
    >
      {isIf ? 'Force branch…' : 'Set outcome…'}
    </Button>
  );
}

interface GoProps {
  panel: Panel;
  of: Command;
  label: string;
  about?: string;
  keys?: string;
  go: Parameters<Panel['debug']['pause']['resume']>[0];
}

function Go({ panel: { debug }, of, label, about, keys, go }: GoProps): JSX.Element {
  const text = about ? `${label} ${about}` : label;
  return (
    <Button
      kind="quiet"
      label={label}
      title={keys ? `${text} (${keys})` : text}
      unavailable={debug.pause.cannotResume.value}
      onClick={() => void debug.pause.resume(go)}
    >
      <CommandIcon of={of} />
    </Button>
  );
}

/** Pauses the run in progress before its next step. */
export function PauseButton({ panel: { debug }, isIcon = false }: { panel: Panel; isIcon?: boolean }): JSX.Element {
  return (
    <Button
      kind="quiet"
      label="Pause"
      title="Pause before the next step (F8)"
      unavailable={debug.pause.cannotPause.value ?? debug.cannotPause.value}
      onClick={() => void debug.pause.pause()}
    >
      {isIcon ? <CommandIcon of="pause" /> : 'Pause'}
    </Button>
  );
}
