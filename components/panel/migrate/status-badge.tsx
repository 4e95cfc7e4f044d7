/** A step’s or an action’s status: an icon and its name. */
import type { JSX } from 'preact';
import { STATUS_TEXTS, type StatusText } from '../../../lib/extension/panel/migrate/describe-proof.ts';
import type { ShownStatus } from '../../../lib/extension/panel/migrate/migration-steps.ts';
import './status-badge.css';

export function StatusBadge({ status, isStale = false }: { status: ShownStatus; isStale?: boolean }): JSX.Element {
  const text = STATUS_TEXTS[status];
  return <StatusMark status={status} text={text} title={isStale ? `Before your change: ${text.label}` : undefined} />;
}

export interface StatusMarkProps {
  status: string;
  text: StatusText;
  /** Instead of the explanation. */
  title?: string | undefined;
}

export function StatusMark({ status, text: { label, icon, tone, explanation }, title }: StatusMarkProps): JSX.Element {
  return (
    <span class={`badge ${tone} migrate-status`} data-status={status} title={title ?? explanation}>
      <span aria-hidden="true">{icon}</span> {label}
    </span>
  );
}
