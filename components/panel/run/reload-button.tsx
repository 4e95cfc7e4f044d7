/** Reloads the inspected page. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../ui/index.ts';

export function ReloadButton({ panel }: { panel: Panel }): JSX.Element {
  return (
    <Button
      unavailable={panel.canReload ? null : 'Use the browser’s own Reload button'}
      onClick={() => void panel.reload()}
    >
      Reload page
    </Button>
  );
}
