/** Owns the detail of one action: what it is, when it runs next, what live apps use, and running it. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Action } from '../../../lib/platform-api/action.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import { relativeTime, timeInZone } from '../../../lib/extension/panel/actions/times.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Alert, Button } from '../../ui/index.ts';
import { PublicationBadge } from './badges.tsx';
import { NextRuns } from './next-runs.tsx';
import { PublishSection } from './publish-section.tsx';
import { RemoveButton } from './remove-button.tsx';
import { RunSection } from './run-section.tsx';
import { usePlatformNow } from './use-platform-now.ts';

/** @param takesFocus it stands where the table was, which had the focus */
export function ActionDetail({
  panel,
  state,
  action,
  takesFocus,
}: {
  panel: Panel;
  state: ActionsState;
  action: Action;
  takesFocus: boolean;
}): JSX.Element {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) section.current?.focus();
  }, []);
  const { error } = state.work.of(action.id);
  const showLogs = (): void => {
    state.logs.setFilters({ actionId: action.id });
    state.view.value = 'logs';
  };
  return (
    <section
      ref={section}
      tabIndex={-1}
      class="action-detail"
      aria-label={`Action ${action.name}`}
      data-action-detail={action.id}
    >
      <header class="section-head">
        <h2 class="untrusted" title={action.name}>
          {action.name}
        </h2>
        <PublicationBadge action={action} />
        <span class="grow" />
        <Button kind="quiet" onClick={() => (state.editing.value = action)}>
          Edit
        </Button>
        <Button
          kind="quiet"
          title="Go to tab Run with this action chosen"
          onClick={() => void panel.openInRun(action.id)}
        >
          Open in Run
        </Button>
        <Button kind="quiet" onClick={showLogs}>
          Logs
        </Button>
        <Button kind="quiet" label="Close the detail" title="Close" onClick={() => (state.selectedId.value = null)}>
          ✕
        </Button>
      </header>
      <div class="action-body">
        {error ? <Alert error={error} onDismiss={() => state.work.dismiss(action.id)} /> : null}
        <Facts action={action} />
        <Schedule action={action} />
        <RunSection panel={panel} state={state} action={action} />
        <PublishSection panel={panel} state={state} action={action} />
        <RemoveButton state={state} action={action} />
      </div>
    </section>
  );
}

function Facts({ action }: { action: Action }): JSX.Element {
  const now = usePlatformNow();
  const moment = (text: string | null | undefined): string => {
    const at = text ? Date.parse(text) : NaN;
    return Number.isNaN(at) ? 'never' : `${relativeTime(Math.min(at, now), now)}, ${timeInZone(at, 'UTC', now)} UTC`;
  };
  return (
    <dl class="facts">
      <div>
        <dt>Id</dt>
        <dd>
          <code>{action.id}</code>
          {action.revision === undefined ? '' : `, revision ${action.revision}`}
        </dd>
      </div>
      <div>
        <dt>Runs on</dt>
        <dd>
          {{ server: 'the server', client: 'the device', any: 'the server or the device' }[action.environment]}
          {action.active ? '' : ' — inactive: it does not run'}
        </dd>
      </div>
      <div>
        <dt>Triggers</dt>
        <dd>
          <Triggers action={action} />
        </dd>
      </div>
      <div>
        <dt>Pipeline</dt>
        <dd>
          {action.functions.length === 0 && action.pageId !== null
            ? `screen ${action.pageId}`
            : plural(action.functions.length, 'step')}
        </dd>
      </div>
      <div>
        <dt>Last run</dt>
        <dd>{moment(action.lastRunAt)}</dd>
      </div>
      <div>
        <dt>Changed</dt>
        <dd>{moment(action.updatedAt)}</dd>
      </div>
      {action.publishedAt ? (
        <div>
          <dt>Published</dt>
          <dd>{moment(action.publishedAt)}</dd>
        </div>
      ) : null}
    </dl>
  );
}

function Triggers({ action }: { action: Action }): JSX.Element {
  if (action.triggers.length === 0) return <span>none: nothing fires it</span>;
  return (
    <ul class="triggers">
      {action.triggers.slice(0, 20).map(({ trigger, where }, index) => (
        <li key={index}>
          {trigger}
          {where && Object.keys(where).length > 0 ? (
            <>
              {' '}
              <code class="untrusted">{JSON.stringify(where).slice(0, 500)}</code>
            </>
          ) : null}
        </li>
      ))}
      {action.triggers.length > 20 ? <li class="muted">and {action.triggers.length - 20} more</li> : null}
    </ul>
  );
}

/** What fires is the published copy: when its schedule is another, both are shown. */
function Schedule({ action }: { action: Action }): JSX.Element | null {
  const { published } = action;
  const own = scheduleOf(action);
  const live = published ? scheduleOf(published) : null;
  if (!own && !live) return null;
  const isSame = own?.frequency === live?.frequency && own?.timezone === live?.timezone;
  return (
    <section class="part">
      <h3>Next runs{own && !live ? ' once it is published' : ''}</h3>
      {live ? <NextRuns {...live} /> : null}
      {own && !isSame ? (
        <>
          {live ? <h3>Once the working copy is published</h3> : null}
          <NextRuns {...own} />
        </>
      ) : null}
    </section>
  );
}

function scheduleOf({
  frequency,
  timezone,
  triggers,
  active,
}: Pick<Action, 'frequency' | 'timezone' | 'triggers' | 'active'>): { frequency: string; timezone: string } | null {
  return frequency && active && triggers.some(({ trigger }) => trigger === 'schedule')
    ? { frequency, timezone: timezone ?? 'UTC' }
    : null;
}
