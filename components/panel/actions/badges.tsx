/** Badges for an action's publication state and a log record's type. */
import type { JSX } from 'preact';
import type { Action } from '../../../lib/platform-api/action.ts';
import {
  isStillLive,
  PUBLICATION_LABELS,
  publicationOf,
  type Publication,
} from '../../../lib/extension/panel/actions/publication.ts';
import { Badge } from '../../ui/index.ts';

const TONES = {
  published: 'success',
  changed: 'warning',
  unpublished: 'plain',
  unknown: 'plain',
} as const satisfies Record<Publication, string>;

export function PublicationBadge({ action }: { action: Action }): JSX.Element | null {
  const publication = publicationOf(action);
  if (isStillLive(action))
    return (
      <span title="Inactive, but still live until published">
        <Badge tone="warning">still live</Badge>
      </span>
    );
  return publication === 'unknown' ? null : <Badge tone={TONES[publication]}>{PUBLICATION_LABELS[publication]}</Badge>;
}

const OUTCOMES: Record<string, { label: string; tone: 'success' | 'danger' }> = {
  'app.action.completed': { label: 'completed', tone: 'success' },
  'app.task.completed': { label: 'completed', tone: 'success' },
  'app.task.failed': { label: 'failed', tone: 'danger' },
};

export function LogBadge({ type }: { type: string }): JSX.Element {
  const known = Object.hasOwn(OUTCOMES, type) ? OUTCOMES[type] : undefined;
  return known ? <Badge tone={known.tone}>{known.label}</Badge> : <Badge>event</Badge>;
}
