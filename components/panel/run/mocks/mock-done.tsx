/** Says what was just done to the mocks, and undoes it. */
import type { JSX } from 'preact';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Button, Notice } from '../../../ui/index.ts';

export function MockDone({ panel: { mocks, mockEditor } }: { panel: Panel }): JSX.Element | null {
  const done = mocks.done.value;
  if (!done) return null;
  return (
    <Notice
      code="MOCKS_CHANGED"
      isSuccess
      actions={
        <>
          <Button onClick={done.undo}>Undo</Button>
          {mockEditor.isOpen.value ? null : <Button onClick={mockEditor.open}>Edit mocks…</Button>}
          <Button kind="quiet" label="Dismiss" onClick={mocks.dismissDone}>
            ✕
          </Button>
        </>
      }
    >
      <span class="untrusted">{done.text}</span>
    </Notice>
  );
}
