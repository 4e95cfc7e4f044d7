/** Watched expressions with their values at the current or last pause. */
import type { JSX } from 'preact';
import type { RunDebug } from '../../../../lib/extension/panel/run/debug/run-debug.ts';
import type { Watch } from '../../../../lib/extension/panel/run/debug/watches.ts';
import { isComposite } from '../../../../lib/extension/panel/shared/remote-value.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Field } from '../../../ui/field.tsx';
import { Alert, Button, EmptyState } from '../../../ui/index.ts';
import { ValueText, ValueTree } from '../../shared/value-tree.tsx';
import { NameWarning } from './name-warning.tsx';
import './outcome-form.css';

export function WatchView({ panel }: { panel: Panel }): JSX.Element {
  const { watches, pause, names } = panel.debug;
  const list = watches.list.value;
  const isPaused = pause.current.value !== null;
  const error = watches.error.value;
  return (
    <div class="watches">
      <AddForm watches={watches} names={names} />
      {error ? <Alert error={error} /> : null}
      <div class="scroll">
        {list.length === 0 ? (
          <EmptyState title="No watched expressions">
            <p>Add an expression over the context. Its value appears here each time the run pauses.</p>
          </EmptyState>
        ) : (
          <>
            {isPaused ? null : <p class="remark">{remarkOf(list)}</p>}
            <ul class={isPaused ? undefined : 'past'} aria-label="Watched expressions">
              {list.map((watch) => (
                <Row key={watch.source} panel={panel} watch={watch} />
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}

const remarkOf = (list: readonly Watch[]): string =>
  list.some(({ value }) => value !== null)
    ? 'Values of the last pause. They’re evaluated again at the next one.'
    : 'Add a breakpoint, then run the action. Values appear at the first pause.';

function AddForm({ watches, names }: Pick<RunDebug, 'watches' | 'names'>): JSX.Element {
  const draft = watches.draft.value;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        watches.add();
      }}
    >
      <Field
        name="watch"
        label="Expression"
        labelHidden
        placeholder="Expression, such as currentItem.data.email"
        value={draft}
        problem={watches.problem.value}
        warning={names.ofExpression(draft, 'anywhere')}
        onInput={(text) => {
          watches.draft.value = text;
        }}
      />
      <Button
        type="submit"
        unavailable={draft.trim() === '' ? 'Enter an expression' : watches.problem.value && 'Fix the expression'}
      >
        Add
      </Button>
    </form>
  );
}

function Row({ panel, watch: { source, value } }: { panel: Panel; watch: Watch }): JSX.Element {
  const found = value && 'value' in value ? value.value : null;
  const tree = found && isComposite(found) ? found : null;
  return (
    <li data-watch={source}>
      <div class="watch">
        <code class="untrusted" title={source}>
          {source}
        </code>
        <span
          class={value && 'error' in value ? 'watch-value error untrusted' : 'watch-value untrusted mono'}
          data-watch-value=""
          title={value && 'error' in value ? value.error : undefined}
        >
          {value && 'error' in value ? value.error : null}
          {found && !tree ? <ValueText value={found} room={300} /> : null}
          {value === null ? <span class="muted">not evaluated yet</span> : null}
        </span>
        <Button
          kind="quiet"
          label={`Remove ${source}`}
          title="Remove"
          onClick={() => panel.debug.watches.remove(source)}
        >
          ✕
        </Button>
      </div>
      <NameWarning text={panel.debug.names.ofExpression(source, 'anywhere')} />
      {tree ? (
        <ValueTree label={source} value={tree} expand={panel.expand} copy={panel.copy} maxHeight={126} bare />
      ) : null}
    </li>
  );
}
