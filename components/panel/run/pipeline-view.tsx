/** Shows the debug page's pipeline, or why there is none. */
import type { JSX } from 'preact';
import type { ErrorValue } from '../../../lib/platform-api/errors.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import type { PageHint } from '../../../lib/extension/panel/shell/page/page-hints.ts';
import { Alert, Button, EmptyState } from '../../ui/index.ts';
import { PipelineTree } from './pipeline-tree.tsx';
import { ReloadButton } from './reload-button.tsx';

export function PipelineView({ panel }: { panel: Panel }): JSX.Element {
  return (
    <section class="section pipeline" aria-label="Pipeline">
      {panel.treeNodes.value.length > 0 && (!panel.page.hint.value || panel.isTreeLocal.value) ? (
        <PipelineTree panel={panel} />
      ) : (
        <>
          <header class="section-head">
            <h2>Pipeline</h2>
          </header>
          <NoPipeline panel={panel} />
        </>
      )}
    </section>
  );
}

function NoPipeline({ panel }: { panel: Panel }): JSX.Element {
  const { page } = panel;
  const hint = page.hint.value;
  const lost = page.lost.value;
  if (hint && !lost)
    return (
      <div data-page={hint.code} class="scroll">
        <EmptyState title={hint.title} actions={<Offer panel={panel} offer={hint.offer} />}>
          <p class="untrusted">{hint.text}</p>
        </EmptyState>
      </div>
    );
  if (page.pipelineError.value && !lost)
    return (
      <div class="scroll">
        <Alert error={page.pipelineError.value} />
      </div>
    );
  if (!page.state.value || lost)
    return (
      <div class="scroll" data-page={lost?.code}>
        <EmptyState title={titleOf(lost?.code)}>{lost ? <p class="untrusted">{textOf(lost)}</p> : null}</EmptyState>
      </div>
    );
  return (
    <div class="scroll">
      <EmptyState title="The pipeline is empty">
        <p>This action has no steps. A run ends immediately, without a result.</p>
      </EmptyState>
    </div>
  );
}

function Offer({ panel, offer }: { panel: Panel; offer: PageHint['offer'] }): JSX.Element | null {
  if (offer === 'open') return <Button onClick={() => void panel.openAgain()}>Open with the token</Button>;
  if (offer === 'options') return <Button onClick={() => panel.openOptions()}>Open options</Button>;
  return offer === 'reload' ? <ReloadButton panel={panel} /> : null;
}

function titleOf(code: string | undefined): string {
  if (code === undefined) return 'Inspecting the page…';
  return code === 'PAGE_UNREACHABLE' ? 'No debug page in this tab' : 'The page isn’t responding';
}

/** *Open* works on a page that can’t be inspected, too. */
const textOf = ({ code, hint }: ErrorValue): string | undefined =>
  code === 'PAGE_UNREACHABLE'
    ? 'The browser doesn’t let extensions inspect the page in this tab. Choose an action above, then select Open.'
    : hint;
