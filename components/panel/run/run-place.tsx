/** Owns the place of the shown run, and what stands there when none is shown. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Alert, EmptyState } from '../../ui/index.ts';
import { MODIFIER } from '../shell/shortcuts.tsx';
import { NOT_LOADED, useLoaded } from '../shared/use-loaded.ts';

/** The views of a run are loaded with the first one: a panel opens sooner without them. */
export function RunPlace({ panel }: { panel: Panel }): JSX.Element {
  const run = panel.runs.shown.value;
  const View = useLoaded(() => import('./run-view.tsx').then((module) => module.RunView), run !== null);
  if (!run) return <NoRun panel={panel} />;
  if (View === 'failed') return <Alert error={NOT_LOADED} />;
  return View ? (
    <View panel={panel} run={run} />
  ) : (
    <div class="run" data-shown-run={run.record.id} data-run-state={run.trace.state} />
  );
}

function NoRun({ panel }: { panel: Panel }): JSX.Element {
  const isReady = panel.page.state.value?.platform === 'ready';
  const past = panel.runs.records.value.length;
  if (!isReady) {
    return (
      <EmptyState title="Debug an action">
        <ol>
          <li>Choose an app and an action above, or paste the compile URL.</li>
          <li>Press Open: this tab goes to the action’s debug page.</li>
          <li>Fill in the payload and press Run: every step shows here, with its time, its context and what it did.</li>
        </ol>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={past > 0 ? 'Run it, or open a past run' : 'Ready to run'}>
      <p>
        Press Run ({MODIFIER}⏎). Each step of the pipeline shows here as it happens: its time, its settings, the context
        before and after, console lines and requests; then the result.
      </p>
    </EmptyState>
  );
}
