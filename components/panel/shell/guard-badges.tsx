/** Badges of the production guard: beside buttons that ask, and for environments that are unlocked. */
import type { JSX } from 'preact';
import type { Environment } from '../../../lib/extension/messaging/model/environment.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { minutesLeft } from '../../../lib/extension/panel/shared/production-guard.ts';
import { Badge, Button } from '../../ui/index.ts';
import { useNow } from '../shared/use-now.ts';
import './guard.css';

/** For buttons that change the selected environment. */
export function ProductionBadge({ panel }: { panel: Panel }): JSX.Element | null {
  return panel.catalog.environment.value?.production ? <Badge tone="danger">Production</Badge> : null;
}

/** All unlocked environments, because those that aren't selected can be changed, too. */
export function UnlockedBadges({ panel }: { panel: Panel }): JSX.Element {
  return (
    <>
      {panel.guard.unlocked.value.map(({ environment, until }) => (
        <Unlocked key={environment.id} panel={panel} environment={environment} until={until} />
      ))}
    </>
  );
}

interface UnlockedProps {
  panel: Panel;
  environment: Environment;
  until: number;
}

function Unlocked({ panel: { catalog, guard }, environment: { id, name }, until }: UnlockedProps): JSX.Element {
  const now = useNow(1_000);
  const isSelected = catalog.environment.value?.id === id;
  return (
    <span class="unlocked" data-unlocked={id} title={`${name}: changes aren’t confirmed until the time is over`}>
      <Badge tone="warning">
        {isSelected ? 'Production' : <bdi class="untrusted">{name}</bdi>} unlocked · {minutesLeft(until, now)} min
      </Badge>
      <Button kind="quiet" label={`Lock ${name}`} title="Ask again before changes" onClick={() => void guard.lock(id)}>
        Lock
      </Button>
    </span>
  );
}
