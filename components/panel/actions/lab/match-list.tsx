/** Owns which actions would fire, and for each other one which field keeps it. */
import type { JSX } from 'preact';
import { plural } from '../../../../lib/shared/format.ts';
import type { Lab } from '../../../../lib/extension/panel/actions/lab/lab.ts';
import type { ActionMatch } from '../../../../lib/extension/panel/actions/lab/matching.ts';
import type { Mismatch } from '../../../../lib/platform-api/where.ts';
import { truncate } from '../../../../lib/shared/format.ts';
import { Badge, EmptyState } from '../../../ui/index.ts';

/** As many as a person reads; those that fire, or nearly do, come first. */
const SHOWN = 200;

/** Fields that the platform or the page gives, when they are not composed. */
const GIVEN: Record<string, string> = {
  '/id': 'the platform',
  '/createdAt': 'the platform',
  '/data/_pageId': 'the page',
};

export function MatchList({ lab }: { lab: Lab }): JSX.Element {
  const matches = lab.matches.value;
  const kind = lab.kind.value;
  const count = matches.filter(({ fires }) => fires).length;
  if (matches.length === 0) {
    return (
      <EmptyState title={`No action listens to ${kind === 'log' ? 'log records' : 'analytics events'}`}>
        <p>
          {kind === 'log'
            ? 'An action with a log trigger runs on the server when a record matches its where.'
            : 'An action with an analytics trigger runs in the page when an event matches its where.'}{' '}
          Add such a trigger to an action to see here whether it fires.
        </p>
      </EmptyState>
    );
  }
  return (
    <section class="lab-matches" aria-label="Actions that listen" data-matches={count}>
      <header class="section-head">
        <h2>Actions that listen</h2>
        <span class="muted" role="status">
          {count} of {plural(matches.length, 'action')} would fire
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
        <Badge tone={match.fires ? 'success' : 'plain'}>{match.fires ? 'fires' : 'does not fire'}</Badge>
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
                  {mismatches.length === 0 ? ' matches.' : ':'}
                </p>
              ) : mismatches.length === 0 ? (
                <p class="muted">Its where matches.</p>
              ) : null}
              {mismatches.length > 0 ? (
                <ul>
                  {mismatches.map((one) => (
                    <Missed key={one.path} mismatch={one} />
                  ))}
                </ul>
              ) : null}
            </div>
          ))}
    </li>
  );
}

function Missed({ mismatch: { path, expected, found } }: { mismatch: Mismatch }): JSX.Element {
  const giver = found === null ? GIVEN[path] : undefined;
  return (
    <li data-mismatch={path}>
      <code class="untrusted">{path.slice(1).replaceAll('/', '.')}</code> must be{' '}
      <code class="untrusted">{short(expected)}</code>,{' '}
      {giver ? (
        <>which {giver} decides</>
      ) : (
        <>
          is <code class="untrusted">{short(found)}</code>
        </>
      )}
    </li>
  );
}

const short = (value: unknown): string => truncate(JSON.stringify(value) ?? 'absent', 120);
