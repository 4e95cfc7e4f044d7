/** Lists which actions would fire, and why the others don't. */
import type { JSX } from 'preact';
import { formatTime, plural, truncate } from '../../../../lib/shared/format.ts';
import type { Catalog } from '../../../../lib/extension/panel/shell/catalog.ts';
import type { TriggerLab } from '../../../../lib/extension/panel/actions/lab/lab.ts';
import type { ActionMatch } from '../../../../lib/extension/panel/actions/lab/matching.ts';
import type { Mismatch } from '../../../../lib/platform-api/where.ts';
import { Badge, EmptyState } from '../../../ui/index.ts';
import { Loading } from '../../shared/loading.tsx';

/** Longer lists are truncated. The best matches come first. */
const SHOWN = 200;

/** Fields that the user can't set, and what sets them instead. */
const SET_BY: Record<string, string> = {
  '/id': 'the platform',
  '/createdAt': 'the platform',
  '/data/_pageId': 'the page',
};

export function MatchList({ lab, catalog }: { lab: TriggerLab; catalog: Catalog }): JSX.Element {
  const unreadable = catalog.unreadable.value.length;
  const readAt = catalog.actionsReadAt.value;
  const matches = lab.matches.value;
  const kind = lab.kind.value;
  const count = matches.filter(({ fires }) => fires).length;
  if (readAt === null) return <Loading>The actions aren’t loaded.</Loading>;
  if (matches.length === 0) {
    return (
      <EmptyState
        title={`No ${unreadable > 0 ? 'readable ' : ''}actions with ${kind === 'log' ? 'a log' : 'an analytics'} trigger`}
      >
        <p>
          {kind === 'log'
            ? 'A log trigger runs an action on the server when a record matches its where filter.'
            : 'An analytics trigger runs an action in the page when an event matches its where filter.'}{' '}
          Add one to an action to test it here.
        </p>
      </EmptyState>
    );
  }
  return (
    <section class="lab-matches" aria-label="Matching actions" data-matches={count}>
      <header class="section-head">
        <h2>Matching actions</h2>
        <span class="muted" role="status">
          {count} of {plural(matches.length, 'action')} would fire, by the list of {formatTime(readAt)}
        </span>
      </header>
      <ul>
        {matches.slice(0, SHOWN).map((match) => (
          <Match key={match.id} match={match} />
        ))}
      </ul>
      {matches.length > SHOWN ? (
        <p class="remark">and {plural(matches.length - SHOWN, 'more action')} that would not fire</p>
      ) : null}
    </section>
  );
}

function Match({ match }: { match: ActionMatch }): JSX.Element {
  return (
    <li data-match={match.id} data-fires={match.fires}>
      <div>
        <strong class="untrusted">{match.name}</strong>{' '}
        <Badge tone={match.fires ? 'success' : 'plain'}>{match.fires ? 'fires' : 'doesn’t fire'}</Badge>
        {match.isAssumed ? <span class="muted"> if its working copy is published</span> : null}
      </div>
      {match.reasons.map((reason) => (
        <p key={reason} data-reason="">
          {reason}
        </p>
      ))}
      {match.fires
        ? null
        : match.triggers.map(({ index, mismatches }) => (
            <div key={index}>
              {match.triggers.length > 1 ? (
                <p class="muted">
                  Trigger {index + 1}
                  {mismatches.length === 0 ? ' matches' : ':'}
                </p>
              ) : mismatches.length === 0 ? (
                <p class="muted">The where filter matches.</p>
              ) : null}
              {mismatches.length > 0 ? (
                <ul>
                  {mismatches.map((one) => (
                    <MismatchItem key={one.path} mismatch={one} />
                  ))}
                </ul>
              ) : null}
            </div>
          ))}
    </li>
  );
}

function MismatchItem({ mismatch: { path, expected, found } }: { mismatch: Mismatch }): JSX.Element {
  const setBy = found === null ? SET_BY[path] : undefined;
  return (
    <li data-mismatch={path}>
      <code class="untrusted">{path.slice(1).replaceAll('/', '.')}</code> must be{' '}
      <code class="untrusted">{short(expected)}</code>,{' '}
      {setBy ? (
        <>which {setBy} sets</>
      ) : (
        <>
          but is <code class="untrusted">{short(found)}</code>
        </>
      )}
    </li>
  );
}

const short = (value: unknown): string => truncate(JSON.stringify(value) ?? 'none', 120);
