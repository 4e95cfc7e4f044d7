/** Says that the debugger has paused the page, where, and how to resume: no browser lets an extension do it. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button, Notice } from '../../ui/index.ts';
import { NO_SOURCES_PANEL } from './step-buttons.tsx';

export function PausedNotice({ panel }: { panel: Panel }): JSX.Element | null {
  const pause = panel.page.pause.value;
  if (!pause) return null;
  const { name, position } = pause;
  const unavailable = position ? null : 'The paused code has no file';
  return (
    <Notice
      code="DEBUGGER_PAUSED"
      actions={
        <Button unavailable={panel.canSource ? unavailable : NO_SOURCES_PANEL} onClick={() => void panel.showPause()}>
          Show in Sources
        </Button>
      }
    >
      <strong>Paused in the debugger</strong>
      {position ? (
        <>
          {' at '}
          <code class="untrusted" title={position.url}>
            {name ? `${name}, ` : ''}
            {fileOf(position.url)}:{position.line}
          </code>
        </>
      ) : null}
      . {panel.canSource ? 'Resume in Sources (F8).' : 'Resume in the Debugger panel (F8).'}
    </Notice>
  );
}

/** The last part of the URL's path, or the host. */
function fileOf(url: string): string {
  const { pathname, host } = new URL(url);
  return pathname.split('/').at(-1) || host;
}
