/** One action's details: its properties, next runs, a test run, and publishing. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import type { Action } from '../../../lib/platform-api/action.ts';
import { isStillLive } from '../../../lib/extension/panel/actions/publication.ts';
import { plural, truncate } from '../../../lib/shared/format.ts';
import { Alert, Button } from '../../ui/index.ts';
import { ActionTime } from '../shared/time.tsx';
import { usePlatformNow } from '../shared/use-now.ts';
import { PublicationBadge } from './badges.tsx';
import { NextRuns } from './next-runs.tsx';
import { PublishSection } from './publish-section.tsx';
import { RemoveButton } from './remove-button.tsx';
import { RevisionsSection } from './revisions-section.tsx';
import { RunSection } from './run-section.tsx';

export interface ActionProps {
  panel: Panel;
  state: ActionsState;
  action: Action;
}

/** @param takesFocus whether the details replace the table, which had focus */
export function ActionDetail({ panel, state, action, takesFocus }: ActionProps & { takesFocus: boolean }): JSX.Element {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) section.current?.focus();
  }, []);
  const { error } = state.work.of(action.id);
  return (
    <section
      ref={section}
      tabIndex={-1}
      class="action-detail"
      aria-label={`Action ${action.name}`}
      data-action-detail={action.id}
    >
      <Header panel={panel} state={state} action={action} />
      <div class="action-body">
        {error ? <Alert error={error} onDismiss={() => state.work.dismiss(action.id)} /> : null}
        <Facts action={action} />
        <Schedule action={action} />
        <RunSection panel={panel} state={state} action={action} />
        <PublishSection panel={panel} state={state} action={action} />
        <RevisionsSection panel={panel} state={state} action={action} />
        <RemoveButton panel={panel} state={state} action={action} />
      </div>
    </section>
  );
}

function Header({ panel, state, action }: ActionProps): JSX.Element {
  const showLogs = (): void => {
    state.logs.setFilters({ actionId: action.id });
    state.view.value = 'logs';
  };
  return (
    <header class="section-head">
      <h2 class="untrusted" title={action.name}>
        {action.name}
      </h2>
      <PublicationBadge action={action} />
      <div class="head-buttons">
        <Button kind="quiet" onClick={() => (state.editing.value = { action })}>
          Edit
        </Button>
        <Button
          kind="quiet"
          title="Edit an inactive copy, which isn’t saved until you choose Create"
          onClick={() => (state.editing.value = { copyOf: action })}
        >
          Duplicate
        </Button>
        <Button
          kind="quiet"
          title="Translate the action to App Actions V3, and prove that both do the same"
          onClick={() => (panel.migrating.value = action)}
        >
          Migrate to V3
        </Button>
        <Button kind="quiet" title="Select this action on the Run tab" onClick={() => void panel.openInRun(action.id)}>
          Open in Run
        </Button>
        <Button kind="quiet" onClick={showLogs}>
          Logs
        </Button>
        <Button kind="quiet" label="Close details" title="Close" onClick={() => (state.selectedId.value = null)}>
          ✕
        </Button>
      </div>
    </header>
  );
}

const RUNS_ON = { server: 'server', client: 'client', any: 'any (server or client)' };

function Facts({ action }: { action: Action }): JSX.Element {
  return (
    <dl class="facts">
      <Fact name="ID">
        <code>{action.id}</code>
        {action.revision === undefined ? '' : `, revision ${action.revision}`}
      </Fact>
      <Fact name="Runs on">
        {RUNS_ON[action.environment]}
        {action.active ? '' : isStillLive(action) ? ', inactive (still live until published)' : ', inactive'}
      </Fact>
      <Fact name="Triggers">
        <Triggers action={action} />
      </Fact>
      <Fact name="Pipeline">
        {action.functions.length === 0 && action.pageId !== null
          ? `screen ${action.pageId}`
          : plural(action.functions.length, 'step')}
      </Fact>
      <Fact name="Last run">
        <PastTime text={action.lastRunAt} />
      </Fact>
      <Fact name="Updated">
        <PastTime text={action.updatedAt} />
      </Fact>
      {action.publishedAt ? (
        <Fact name="Published">
          <PastTime text={action.publishedAt} />
        </Fact>
      ) : null}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PastTime({ text }: { text: string | null | undefined }): JSX.Element {
  const now = usePlatformNow();
  const at = text ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? <>none reported</> : <ActionTime at={at} now={now} />;
}

/** Longer lists of triggers and longer filters are truncated. */
const SHOWN_TRIGGERS = 20;
const SHOWN_WHERE = 500;

function Triggers({ action: { triggers } }: { action: Action }): JSX.Element {
  if (triggers.length === 0) return <>none</>;
  return (
    <ul class="triggers">
      {triggers.slice(0, SHOWN_TRIGGERS).map(({ trigger, where }, index) => (
        <li key={index}>
          {trigger}
          {where && Object.keys(where).length > 0 ? (
            <>
              {' '}
              <code class="untrusted">{truncate(JSON.stringify(where), SHOWN_WHERE)}</code>
            </>
          ) : null}
        </li>
      ))}
      {triggers.length > SHOWN_TRIGGERS ? <li class="muted">and {triggers.length - SHOWN_TRIGGERS} more</li> : null}
    </ul>
  );
}

/** Live apps use the published copy's schedule. If the working copy's schedule differs, both are shown. */
function Schedule({ action }: { action: Action }): JSX.Element | null {
  const { published } = action;
  const working = scheduleOf(action);
  const live = published ? scheduleOf(published) : null;
  if (!working && !live) return null;
  const isSame = working?.frequency === live?.frequency && working?.timezone === live?.timezone;
  return (
    <section class="part">
      <h3>{nextRunsTitle(action, live !== null)}</h3>
      {live ? <NextRuns {...live} /> : null}
      {working && !isSame ? (
        <>
          {live ? <h3>Next runs of the working copy</h3> : null}
          <NextRuns {...working} />
        </>
      ) : null}
    </section>
  );
}

function nextRunsTitle(action: Action, isLive: boolean): string {
  if (!isLive) return 'Next runs after publishing';
  return isStillLive(action) ? 'Next runs (still live until published)' : 'Next runs';
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
