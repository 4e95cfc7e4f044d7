/** Publishes an action. Shows what live apps use now and how the working copy differs. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Action } from '../../../lib/platform-api/action.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import type { Difference } from '../../../lib/extension/panel/actions/edit/differences.ts';
import {
  publicationChanges,
  publicationOf,
  publicationSummary,
} from '../../../lib/extension/panel/actions/publication.ts';
import { plural, truncate } from '../../../lib/shared/format.ts';
import { pointerAsPath } from '../../../lib/extension/panel/shared/remote-value.ts';
import { Button } from '../../ui/index.ts';

export function PublishSection({ state, action }: { state: ActionsState; action: Action }): JSX.Element {
  const publication = publicationOf(action);
  const { busy } = state.work.of(action.id);
  const busyReason = busy ? 'Wait for the current operation to finish' : null;
  return (
    <section class="part" aria-label="Publication">
      <h3>Live apps</h3>
      <p>{publicationSummary(action)}</p>
      <div class="buttons">
        <Button
          kind={publication === 'published' ? 'plain' : 'primary'}
          unavailable={publication === 'published' ? 'Change the action to publish it again' : busyReason}
          onClick={() => void state.work.publish(action, true)}
        >
          {busy === 'publish' ? 'Publishing…' : 'Publish'}
        </Button>
        <Button
          unavailable={publication === 'unpublished' ? 'Publish the action first' : busyReason}
          onClick={() => void state.work.publish(action, false)}
        >
          {busy === 'unpublish' ? 'Unpublishing…' : 'Unpublish'}
        </Button>
      </div>
      {publication === 'changed' ? <Changes action={action} /> : null}
    </section>
  );
}

/** Longer lists are truncated, because a pipeline can have many steps. */
const SHOWN = 200;

function Changes({ action }: { action: Action }): JSX.Element {
  const changes = useMemo(() => publicationChanges(action), [action]);
  return (
    <div class="publish-diff" data-publish-diff={changes.length}>
      <h3>{plural(changes.length, 'difference')} between the published copy and the working copy</h3>
      <ul>
        {changes.slice(0, SHOWN).map((change) => (
          <Change key={`${change.kind} ${change.path}`} change={change} />
        ))}
        {changes.length > SHOWN ? <li class="muted">and {changes.length - SHOWN} more</li> : null}
      </ul>
    </div>
  );
}

const SIGNS = { added: '+', removed: '−', changed: '±' } as const;

function Change({ change }: { change: Difference }): JSX.Element {
  return (
    <li class={`change ${change.kind}`} data-change={change.kind}>
      <span class="sign" aria-hidden="true">
        {SIGNS[change.kind]}
      </span>
      <span class="visually-hidden">{change.kind} </span>
      <code class="untrusted">{pointerAsPath(change.path)}</code>{' '}
      {'before' in change ? (
        <del>
          <Json value={change.before} />
        </del>
      ) : null}
      {change.kind === 'changed' ? <span aria-hidden="true"> → </span> : null}
      {'after' in change ? (
        <ins>
          <Json value={change.after} />
        </ins>
      ) : null}
    </li>
  );
}

/** Values longer than 80 characters get a block of their own. */
function Json({ value }: { value: unknown }): JSX.Element {
  const short = JSON.stringify(value) ?? 'undefined';
  return short.length <= 80 ? (
    <code class="untrusted">{short}</code>
  ) : (
    <pre class="untrusted">{truncate(JSON.stringify(value, null, 2), 20_000)}</pre>
  );
}
