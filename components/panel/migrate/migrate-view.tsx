/** *Migrate to V3*: an action’s pipeline and its code side by side, with the proof. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Migrating, MigrationTab } from '../../../lib/extension/panel/migrate/migrating.ts';
import { migratingOf } from '../../../lib/extension/panel/migrate/migrating-of.ts';
import { MODIFIER } from '../../../lib/extension/panel/shell/shortcuts.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import type { Action } from '../../../lib/platform-api/action.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Alert, Button, Notice, Tabs } from '../../ui/index.ts';
import { late } from '../shared/late.tsx';
import { Loading } from '../shared/loading.tsx';
import { QuestionDialog } from '../shared/question-dialog.tsx';
import { takeEscape } from '../shared/take-escape.ts';
import { PageStep } from './page-step.tsx';
import { ProofSummary } from './proof-summary.tsx';
import { ProofTab } from './proof-tab.tsx';
import { SaveMenu } from './save-menu.tsx';
import { StatusBadge } from './status-badge.tsx';
import { StrengthView } from './strength-view.tsx';
import './migrate.css';

// In one module, both views share what they load.
export { OverviewView } from './overview/overview-view.tsx';

const SwitchOver = late(() => import('./switch-over/switch-over-view.tsx').then((module) => module.SwitchOverView));

export interface MigrateViewProps {
  panel: Panel;
  action: Action;
  onClose: () => void;
  /** Opens another version of the action. */
  onReplace: (action: Action) => void;
}

export function MigrateView({ panel, action, onClose, onReplace }: MigrateViewProps): JSX.Element {
  const root = useRef<HTMLElement>(null);
  const migrating = useMemo(() => migratingOf(panel, action), [panel, action]);
  const [asksToStartOver, setAsks] = useState(false);
  // The button that opened the view is gone. From here, Escape closes it.
  useEffect(() => root.current?.focus(), []);
  const latest = migrating.replacement.value;
  return (
    <section
      ref={root}
      class="migrate"
      aria-label={`Migrate ${action.name} to V3`}
      data-migrate={migrating.migration.value.state}
      tabIndex={-1}
      onKeyDown={(event) => {
        const isTyping = event.target instanceof Element && event.target.closest('input, [contenteditable], dialog');
        if (isTyping || document.querySelector(':popover-open')) return;
        if (takeEscape(event)) onClose();
      }}
    >
      <Header migrating={migrating} onClose={onClose} />
      {latest ? (
        <Notice code="ACTION_CHANGED" actions={<Button onClick={() => onReplace(latest)}>Migrate again</Button>}>
          The action has changed since you opened it here.
        </Notice>
      ) : null}
      {migrating.proving.error.value ? (
        <Alert
          error={migrating.proving.error.value}
          onDismiss={migrating.proving.dismiss}
          actions={<PageStep panel={panel} actionId={action.id} code={migrating.proving.error.value.code} />}
        />
      ) : null}
      <Body panel={panel} migrating={migrating} onStartOver={() => setAsks(true)} />
      {asksToStartOver ? (
        <QuestionDialog
          title="Start over with the generated code"
          effect="Your changes of the code are removed. Accepted differences stay."
          button="Start over"
          onConfirm={() => {
            migrating.edit.startOver();
            setAsks(false);
          }}
          onCancel={() => setAsks(false)}
        />
      ) : null}
    </section>
  );
}

function Header({ migrating, onClose }: { migrating: Migrating; onClose: () => void }): JSX.Element {
  const isReady = migrating.migration.value.state === 'ready';
  return (
    <header class="section-head migrate-head">
      <Button kind="quiet" label="Back" title="Back (Esc)" onClick={onClose}>
        ←
      </Button>
      <h2>Migrate to V3</h2>
      <span class="migrate-name muted untrusted" title={migrating.action.name}>
        {migrating.action.name}
      </span>
      {isReady ? <StatusBadge status={migrating.status.value} /> : null}
      <span class="grow" />
      {isReady ? <SaveMenu migrating={migrating} /> : null}
      {migrating.proving.progress.value ? (
        <Button onClick={migrating.proving.cancel}>Cancel</Button>
      ) : (
        <Button
          kind="primary"
          unavailable={migrating.cannotProve.value}
          title={`Compare the code with all recorded runs (${MODIFIER}⏎ in the code)`}
          onClick={() => void migrating.proveAgain()}
        >
          {migrating.proving.proved.value ? 'Prove again' : 'Prove'}
        </Button>
      )}
    </header>
  );
}

interface BodyProps {
  panel: Panel;
  migrating: Migrating;
  onStartOver: () => void;
}

function Body({ panel, migrating, onStartOver }: BodyProps): JSX.Element {
  const { state, error } = migrating.migration.value;
  if (state === 'failed')
    return (
      <div class="fill scroll">
        <Alert error={error} />
      </div>
    );
  if (state !== 'ready') return <Migrated migrating={migrating} />;
  const missed = migrating.isStale.value ? 0 : (migrating.proving.strength.value?.missed.length ?? 0);
  return (
    <Tabs<MigrationTab>
      label="Migration"
      selected={migrating.tab.value}
      onSelect={(tab) => (migrating.tab.value = tab)}
      tabs={[
        { id: 'proof', label: 'Code and proof' },
        { id: 'strength', label: 'Strength', badge: missed || undefined },
        { id: 'switch-over', label: 'Switch over' },
      ]}
    >
      <div class="tab-body">
        <ProofSummary panel={panel} migrating={migrating} />
        <div class="fill">{shownTab(panel, migrating, onStartOver)}</div>
      </div>
    </Tabs>
  );
}

function Migrated({ migrating }: Pick<BodyProps, 'migrating'>): JSX.Element {
  const total = migrating.action.functions.length;
  const done = migrating.migrated.value;
  return (
    <div class="fill stack">
      <Loading>Migrating {plural(total, 'step')}…</Loading>
      {done > 0 ? <progress aria-label="Migrated steps" value={done} max={total} /> : null}
    </div>
  );
}

function shownTab(panel: Panel, migrating: Migrating, onStartOver: () => void): ComponentChildren {
  const tab = migrating.tab.value;
  if (tab === 'strength') return <StrengthView migrating={migrating} />;
  if (tab === 'switch-over') return <SwitchOver panel={panel} migrating={migrating} />;
  return <ProofTab migrating={migrating} onStartOver={onStartOver} />;
}
