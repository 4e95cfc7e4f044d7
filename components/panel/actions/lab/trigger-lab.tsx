/** The trigger lab: composes a log record or an analytics event, shows the matching actions, and fires it. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Environment } from '../../../../lib/extension/messaging/model/environment.ts';
import type { PageMode, TriggerLab } from '../../../../lib/extension/panel/actions/lab/lab.ts';
import { labOf } from '../../../../lib/extension/panel/actions/lab/lab-of.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { isCommandEnter } from '../../../../lib/shared/keys.ts';
import { Alert, Button, EmptyState } from '../../../ui/index.ts';
import { ProductionBadge } from '../../shell/guard-badges.tsx';
import { MODIFIER } from '../../../../lib/extension/panel/shell/shortcuts.ts';
import { ViewSwitch } from '../edit/view-switch.tsx';
import { Composer } from './composer.tsx';
import { FiredView } from './fired-view.tsx';
import { MatchList } from './match-list.tsx';
import './lab.css';

export function TriggerLabView({ panel }: { panel: Panel }): JSX.Element {
  const environment = panel.catalog.environment.value;
  const appId = panel.catalog.appId.value;
  if (!environment || appId === null)
    return (
      <EmptyState title="No app selected">
        <p>Select an app in the toolbar to test the triggers of its actions.</p>
      </EmptyState>
    );
  return <LabOfApp key={`${environment.id} ${appId}`} panel={panel} environment={environment} appId={appId} />;
}

interface LabOfAppProps {
  panel: Panel;
  environment: Environment;
  appId: number;
}

function LabOfApp({ panel, environment, appId }: LabOfAppProps): JSX.Element {
  const lab = labOf(panel, environment, appId);
  useEffect(() => {
    void lab.load();
    return () => lab.dispose();
  }, [lab]);
  const fire = (): void => void lab.fire();
  return (
    <section
      class="lab"
      data-lab={lab.kind.value}
      aria-label="Trigger lab"
      onKeyDown={(event) => {
        if (!isCommandEnter(event) || event.defaultPrevented) return;
        event.preventDefault();
        fire();
      }}
    >
      <Head panel={panel} lab={lab} onFire={fire} />
      {lab.error.value ? (
        <Alert
          error={
            lab.error.value.said && lab.error.value.status === 422
              ? { ...lab.error.value, ...lab.error.value.said }
              : lab.error.value
          }
          onDismiss={lab.dismiss}
        />
      ) : null}
      {lab.kind.value === 'log' && lab.cannotAddLogs.value !== null ? (
        <p class="muted lab-limit">{lab.cannotAddLogs.value} You can still see which actions a record would fire.</p>
      ) : null}
      <div class="lab-columns">
        <div class="lab-column">
          <Composer lab={lab} actions={lab.actions.value} onFire={fire} />
          {lab.kind.value === 'analytics' ? (
            <PageBar panel={panel} lab={lab} environmentId={environment.id} appId={appId} mode={lab.mode.value} />
          ) : null}
          <FiredView lab={lab} actions={lab.actions.value} />
        </div>
        <div class="lab-column">
          <MatchList lab={lab} catalog={panel.catalog} />
        </div>
      </div>
    </section>
  );
}

function Head({ panel, lab, onFire }: { panel: Panel; lab: TriggerLab; onFire: () => void }): JSX.Element {
  const { kind } = lab;
  return (
    <header class="section-head">
      <div class="view-buttons" role="group" aria-label="Kind">
        <Button kind="quiet" pressed={kind.value === 'log'} onClick={() => lab.show('log')}>
          Log record
        </Button>
        <Button kind="quiet" pressed={kind.value === 'analytics'} onClick={() => lab.show('analytics')}>
          Analytics event
        </Button>
      </div>
      <ViewSwitch view={lab.view} />
      <span class="grow" />
      <ProductionBadge panel={panel} />
      <Button
        kind="primary"
        unavailable={lab.cannotFire.value}
        title={`${kind.value === 'log' ? 'Add to the app’s log' : 'Send from the page'} (${MODIFIER}⏎)`}
        onClick={onFire}
      >
        {lab.firing.value ? 'Firing…' : 'Fire'}
      </Button>
    </header>
  );
}

interface PageBarProps {
  panel: Panel;
  lab: TriggerLab;
  environmentId: string;
  appId: number;
  mode: PageMode | null;
}

/** Opens a page of the app in the inspected tab. Events can be sent only from such a page. */
function PageBar({ panel, lab, environmentId, appId, mode }: PageBarProps): JSX.Element {
  const { send, tabId } = panel.services;
  const open = async (page: PageMode): Promise<void> => {
    lab.previewMode.value = page;
    const response = await send('pages.open', { environmentId, tabId, appId, page });
    if (response.ok) await panel.page.inspect();
    else lab.report(response.error);
  };
  return (
    <div class="lab-page" data-mode={mode ?? 'none'}>
      <span class="muted">
        {mode === null
          ? 'Open the app’s preview page or live page to send events.'
          : `Events are sent from the ${mode} page in this tab.`}
      </span>
      <Button onClick={() => void open('preview')}>Open preview page</Button>
      <Button onClick={() => void open('live')}>Open live page</Button>
    </div>
  );
}
