/** Publishes an action. Shows what live apps use now and how the working copy differs. */
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Action } from '../../../lib/platform-api/action.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import {
  publicationChanges,
  publicationOf,
  publicationSummary,
} from '../../../lib/extension/panel/actions/publication.ts';
import {
  isCertainFailure,
  type SettingWarning,
  settingsProblems,
} from '../../../lib/extension/panel/actions/edit/settings-problems.ts';
import { formatCount, plural } from '../../../lib/shared/format.ts';
import { Button } from '../../ui/index.ts';
import { DifferenceList } from '../shared/difference-list.tsx';
import { ProductionBadge } from '../shell/guard-badges.tsx';

interface PublishSectionProps {
  panel: Panel;
  state: ActionsState;
  action: Action;
}

export function PublishSection({ panel, state, action }: PublishSectionProps): JSX.Element {
  const publication = publicationOf(action);
  const { busy } = state.work.of(action.id);
  const busyReason = state.cannotReach.value ?? (busy ? 'Wait for the current operation to finish' : null);
  useEffect(() => void state.loadPackages(), [state, action.id]);
  const packages = state.packages.value;
  const packagesError = state.packagesError.value;
  const warnings = useMemo(() => settingsProblems(action, packages), [action, packages]);
  const fails = action.active && warnings.some(isCertainFailure);
  return (
    <section class="part" aria-label="Publication">
      <h3>Live apps</h3>
      <p>{publicationSummary(action)}</p>
      <div class="buttons">
        <Button
          kind={publication === 'published' ? 'plain' : 'primary'}
          unavailable={publication === 'published' ? 'Change the action to publish it again' : busyReason}
          onClick={() => void state.work.publish(action, true, fails)}
        >
          {busy === 'publish' ? 'Publishing…' : 'Publish'}
        </Button>
        <Button
          unavailable={publication === 'unpublished' ? 'Publish the action first' : busyReason}
          onClick={() => void state.work.publish(action, false)}
        >
          {busy === 'unpublish' ? 'Unpublishing…' : 'Unpublish'}
        </Button>
        <ProductionBadge panel={panel} />
      </div>
      {packagesError && state.cannotReach.value === null ? (
        <p class="muted" data-packages-error={packagesError.code}>
          <span class="untrusted">Unknown which settings are required: {packagesError.message}</span>{' '}
          <Button kind="quiet" onClick={() => void state.loadPackages()}>
            Try again
          </Button>
        </p>
      ) : null}
      {warnings.length > 0 ? <Warnings warnings={warnings} /> : null}
      {publication === 'changed' ? <Changes action={action} /> : null}
    </section>
  );
}

const SHOWN_WARNINGS = 10;

function Warnings({ warnings }: { warnings: readonly SettingWarning[] }): JSX.Element {
  return (
    <div class="setting-warnings" data-setting-warnings={warnings.length}>
      <p>{plural(warnings.length, 'warning')} about the working copy’s settings:</p>
      <ul>
        {warnings.slice(0, SHOWN_WARNINGS).map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <span class="untrusted">{message}</span> <code class="untrusted">{path}</code>
          </li>
        ))}
        {warnings.length > SHOWN_WARNINGS ? <li>and {formatCount(warnings.length - SHOWN_WARNINGS)} more</li> : null}
      </ul>
    </div>
  );
}

function Changes({ action }: { action: Action }): JSX.Element {
  const changes = useMemo(() => publicationChanges(action), [action]);
  return (
    <div class="publish-diff" data-publish-diff={changes.length}>
      <h3>{plural(changes.length, 'difference')} between the published copy and the working copy</h3>
      <DifferenceList differences={changes} />
    </div>
  );
}
