/** Says that the page’s pipeline isn’t the action’s working copy, shows what differs, and runs the current version. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button, Notice } from '../../ui/index.ts';
import { DifferenceList } from '../shared/difference-list.tsx';

export function ChangedNotice({ panel }: { panel: Panel }): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const { version, starter } = panel;
  const changes = version.changes.value;
  // Otherwise, Run opens another page anyway.
  if (panel.toOpen.value) return null;
  if (changes.length === 0) return <UnknownVersion panel={panel} />;
  return (
    <Notice
      code="ACTION_CHANGED"
      actions={
        <>
          <Button unavailable={panel.cannotRun.value} onClick={() => void starter.reloadAndRun()}>
            Reload and run
          </Button>
          <Button pressed={isOpen} onClick={() => setOpen(!isOpen)}>
            Show changes
          </Button>
          {isOpen ? <DifferenceList differences={changes} /> : null}
        </>
      }
    >
      <strong>The page’s pipeline isn’t the action’s working copy.</strong>{' '}
      {version.isSavedHere.value
        ? 'You saved it in this panel, so Run reloads the page first.'
        : 'Run still uses the page’s pipeline.'}
    </Notice>
  );
}

function UnknownVersion({ panel: { version } }: { panel: Panel }): JSX.Element | null {
  const error = version.unknown.value;
  if (!error) return null;
  return (
    <p class="remark untrusted" data-version-unknown={error.code}>
      Whether the action has changed since this page was loaded is unknown. {error.message}{' '}
      <Button kind="quiet" onClick={() => void version.check()}>
        Check again
      </Button>
    </p>
  );
}
