/** Owns publishing an action: what live apps use now, what would change for them, and by how much the working copy differs. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Action } from '../../../lib/platform-api/action.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import type { Difference } from '../../../lib/extension/panel/actions/edit/differences.ts';
import {
  publicationChanges,
  publicationOf,
  publicationSentence,
} from '../../../lib/extension/panel/actions/publication.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../lib/shared/format.ts';
import { pointerAsPath } from '../../../lib/extension/panel/shared/remote-value.ts';
import { Button } from '../../ui/index.ts';

export function PublishSection({ state, action }: { panel: Panel; state: ActionsState; action: Action }): JSX.Element {
  const publication = publicationOf(action);
  const { busy } = state.work.of(action.id);
  const waits = busy ? 'Wait for what is going on.' : null;
  return (
    <section class="part" aria-label="Publication">
      <h3>Live apps</h3>
      <p>{publicationSentence(action)}</p>
      <div class="buttons">
        <Button
          kind={publication === 'published' ? 'plain' : 'primary'}
          unavailable={publication === 'published' ? 'Live apps use the working copy already.' : waits}
          onClick={() => void state.work.publish(action, true)}
        >
          {busy === 'publish' ? 'Publishing…' : 'Publish'}
        </Button>
        <Button
          unavailable={publication === 'unpublished' ? 'It is not published.' : waits}
          onClick={() => void state.work.publish(action, false)}
        >
          {busy === 'unpublish' ? 'Unpublishing…' : 'Unpublish'}
        </Button>
      </div>
      {publication === 'changed' ? <Changes action={action} /> : null}
    </section>
  );
}

/** As many as a person reads; an action has few fields, but may have many steps. */
const SHOWN = 200;

function Changes({ action }: { action: Action }): JSX.Element {
  const changes = useMemo(() => publicationChanges(action), [action]);
  return (
    <div class="publish-diff" data-publish-diff={changes.length}>
      <h3>{plural(changes.length, 'difference')} of the working copy from what is published</h3>
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

/** A whole step stands on lines of its own. */
function Json({ value }: { value: unknown }): JSX.Element {
  const short = JSON.stringify(value) ?? 'undefined';
  return short.length <= 80 ? (
    <code class="untrusted">{short}</code>
  ) : (
    <pre class="untrusted">{JSON.stringify(value, null, 2).slice(0, 20_000)}</pre>
  );
}
