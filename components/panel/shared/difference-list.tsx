/** Lists the differences between two versions of an action or a pipeline. */
import type { JSX } from 'preact';
import type { Difference } from '../../../lib/extension/panel/actions/edit/differences.ts';
import { pointerAsPath } from '../../../lib/extension/panel/shared/remote-value.ts';
import { formatCount, truncate } from '../../../lib/shared/format.ts';
import './difference-list.css';

/** Longer lists are truncated, because a pipeline can have many steps. */
const SHOWN = 200;

export function DifferenceList({ differences }: { differences: readonly Difference[] }): JSX.Element {
  return (
    <ul class="difference-list">
      {differences.slice(0, SHOWN).map((change) => (
        <Change key={`${change.kind} ${change.path}`} change={change} />
      ))}
      {differences.length > SHOWN ? <li class="muted">and {formatCount(differences.length - SHOWN)} more</li> : null}
    </ul>
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
