/** Says that the browser has brought a page back, with the run that had counted as interrupted. */
import type { JSX } from 'preact';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Button, Notice } from '../../../ui/index.ts';

export function FoundNotice({ panel: { runs, debug } }: { panel: Panel }): JSX.Element | null {
  if (runs.found.value === null) return null;
  void runs.version.value;
  const isPaused = runs.paused.value !== null;
  const dismiss = (): void => void (runs.found.value = null);
  const resume = (): void => {
    dismiss();
    void debug.pause.resume({ go: 'resume' });
  };
  return (
    <Notice
      code="RUN_FOUND"
      actions={
        <>
          {isPaused ? (
            <Button unavailable={debug.pause.cannotResume.value} onClick={resume}>
              Resume
            </Button>
          ) : null}
          <Button onClick={() => void runs.stop()}>Stop</Button>
          <Button kind="quiet" label="Dismiss" onClick={dismiss}>
            ✕
          </Button>
        </>
      }
    >
      <strong>The page is back, with its run.</strong>{' '}
      {isPaused ? 'The run is paused until you resume or stop it.' : 'The run is still in progress.'}
    </Notice>
  );
}
