/** Errors and notices of the debugger, and the question before a run that starts at a step. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { StartingPoint } from '../../../../lib/extension/panel/run/debug/run-places.ts';
import { iterationText } from '../../../../lib/extension/panel/run/timeline/rows.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Alert, Button, Notice } from '../../../ui/index.ts';
import { takeEscape } from '../../shared/take-escape.ts';

export function DebugMessages({ panel: { debug, runs } }: { panel: Panel }): JSX.Element {
  const { settings, pause, places } = debug;
  // Without a database, runs aren’t stored either.
  const isSaid = settings.error.value?.message === runs.error.value?.message;
  return (
    <>
      {settings.error.value && !isSaid ? <Alert error={settings.error.value} onDismiss={settings.dismiss} /> : null}
      {pause.error.value ? <Alert error={pause.error.value} onDismiss={pause.dismiss} /> : null}
      {debug.isIgnored.value ? (
        <Notice code="DEBUGGER_IGNORED" actions={<Button onClick={debug.chooseEngine}>Use our engine</Button>}>
          <strong>Breakpoints need our engine.</strong> The platform’s own engine can’t pause between steps, so runs
          ignore them.
        </Notice>
      ) : null}
      {places.asking.value ? <Question debug={debug} from={places.asking.value} /> : null}
    </>
  );
}

function Question({ debug, from }: { debug: Panel['debug']; from: StartingPoint }): JSX.Element {
  const { places } = debug;
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    question.current?.querySelector<HTMLElement>('button')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, [from]);
  const { step, run } = from;
  const iteration = step.iteration.length > 0 ? `, ${iterationText(step.iteration)}` : '';
  return (
    <div
      ref={question}
      class="alert notice run-from"
      role="group"
      aria-label="Run from here"
      data-code="RUN_FROM"
      onKeyDown={(event) => {
        if (takeEscape(event)) places.cancel();
      }}
    >
      <div class="text">
        <strong class="untrusted">
          Run from {debug.labelOf(step)}
          {iteration}?
        </strong>{' '}
        Earlier steps aren’t executed: run {run.record.number || ''} gives their outcomes and the context. You can edit
        the context first.
      </div>
      <span class="buttons">
        <Button kind="primary" onClick={() => void places.runFrom(from, false)}>
          Run from here
        </Button>
        <Button onClick={() => void places.runFrom(from, true)}>Pause there first</Button>
        <Button onClick={places.cancel}>Cancel</Button>
      </span>
    </div>
  );
}
