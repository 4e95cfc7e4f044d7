/** Owns the place of the pipeline: its tree, or why there is none. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Alert, Button, EmptyState } from '../../ui/index.ts';
import { NOT_LOADED, useLoaded } from '../shared/use-loaded.ts';

export function PipelineView({ panel }: { panel: Panel }): JSX.Element {
  const isTree = panel.page.nodes.value.length > 0 && !panel.page.hint.value;
  const Tree = useLoaded(() => import('./pipeline-tree-view.tsx').then((module) => module.PipelineTree), isTree);
  return (
    <section class="section pipeline" aria-label="Pipeline">
      {isTree && Tree && Tree !== 'failed' ? (
        <Tree panel={panel} />
      ) : (
        <>
          <header class="section-head">
            <h2>Pipeline</h2>
          </header>
          {Tree === 'failed' ? <Alert error={NOT_LOADED} /> : isTree ? null : <NoPipeline panel={panel} />}
        </>
      )}
    </section>
  );
}

/** Why there is no tree, and what to do. */
function NoPipeline({ panel }: { panel: Panel }): JSX.Element {
  const { page } = panel;
  const hint = page.hint.value;
  const error = page.pipelineError.value;
  const reload = (
    <Button
      onClick={() => void panel.reload()}
      unavailable={panel.canReload ? null : 'This browser can’t reload it from here.'}
    >
      Reload page
    </Button>
  );
  if (hint && !page.lost.value)
    return (
      <div data-page={hint.code} class="scroll">
        <EmptyState title={hint.title} actions={hint.offer ? reload : null}>
          <p class="untrusted">{hint.text}</p>
        </EmptyState>
      </div>
    );
  if (error && !page.lost.value)
    return (
      <div class="scroll">
        <Alert error={error} />
      </div>
    );
  if (!page.state.value || page.lost.value)
    return (
      <div class="scroll" data-page={page.lost.value?.code}>
        <EmptyState title={titleOf(page.lost.value?.code)}>
          {page.lost.value ? <p class="untrusted">{page.lost.value.hint}</p> : null}
        </EmptyState>
      </div>
    );
  return (
    <div class="scroll">
      <EmptyState title="The pipeline is empty">
        <p>This action has no steps. A run ends at once and has no result.</p>
      </EmptyState>
    </div>
  );
}

function titleOf(code: string | undefined): string {
  if (code === undefined) return 'Looking at the page…';
  return code === 'PAGE_UNREACHABLE' ? 'DevTools can’t look into this page' : 'The page does not answer';
}
