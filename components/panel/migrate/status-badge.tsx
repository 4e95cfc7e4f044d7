/** A step’s or an action’s status: an icon and its name. */
import type { JSX } from 'preact';
import { STATUS_TEXTS } from '../../../lib/extension/panel/migrate/describe-proof.ts';
import type { ShownStatus } from '../../../lib/extension/panel/migrate/migration-steps.ts';

export function StatusBadge({ status, isStale = false }: { status: ShownStatus; isStale?: boolean }): JSX.Element {
  const { label, icon, tone, explanation } = STATUS_TEXTS[status];
  return (
    <span
      class={`badge ${tone} migrate-status`}
      data-status={status}
      title={isStale ? `Before your change: ${label}` : explanation}
    >
      <span aria-hidden="true">{icon}</span> {label}
    </span>
  );
}
