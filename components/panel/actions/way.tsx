/** Says how the panel reaches an app's actions if not over the platform's endpoints, and helps to get a way. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ActionsBackend } from '../../../lib/extension/panel/actions/backend/types.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Badge, Button, EmptyState } from '../../ui/index.ts';
import './way.css';

/** Renders nothing while the platform's own endpoints are used. */
export function WayNote({ panel }: { panel: Panel }): JSX.Element | null {
  const { catalog } = panel;
  const backend = catalog.backend.value;
  if (!backend || backend.way === 'rest') return null;
  const isListed = catalog.actions.value.value !== null;
  if (backend.way === 'none') return isListed ? <LeftPage panel={panel} /> : null;
  return (
    <div class="way" role="note" aria-label="How the panel reaches the actions" data-way="page">
      <Badge>Through the page</Badge>
      <span>This platform offers actions only to the app’s own pages. The panel uses the one in this tab.</span>
      <NotOffered backend={backend} />
    </div>
  );
}

function NotOffered({ backend }: { backend: ActionsBackend }): JSX.Element {
  const reasons = new Set(Object.values(backend.cannot).filter((reason) => reason !== null));
  return (
    <details>
      <summary>What isn’t offered</summary>
      <ul>
        {[...reasons].map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </details>
  );
}

/** The list is still there, but not the page that it was loaded from. */
function LeftPage({ panel }: { panel: Panel }): JSX.Element {
  return (
    <div class="way" role="note" aria-label="How the panel reaches the actions" data-way="none">
      <Badge tone="warning">No page open</Badge>
      <span>These actions were loaded from a page of the app. Open one to refresh, change, or run them.</span>
      <OpenPage panel={panel} />
    </div>
  );
}

/** In place of a list that only a page of the app has. */
export function NoPage({ panel, what }: { panel: Panel; what: string }): JSX.Element {
  const { catalog } = panel;
  const missing = catalog.backend.value?.missing;
  if (missing === 'elsewhere') return <PageElsewhere panel={panel} what={what} />;
  const isOtherPage = missing === 'no-api';
  // Otherwise, the note above it offers to open a page.
  const isAlone = catalog.actions.value.value === null;
  return (
    <EmptyState
      title={isOtherPage ? `This page doesn’t offer ${what}` : `Open a page of this app to see ${what}`}
      actions={isAlone ? <OpenPage panel={panel} /> : null}
    >
      <p>
        This platform offers {what} only to the app’s own pages. Open an action’s debug page, or the app’s preview or
        live page, in this tab.
      </p>
    </EmptyState>
  );
}

/** The page isn't used until the user says that its site belongs to the environment. */
function PageElsewhere({ panel, what }: { panel: Panel; what: string }): JSX.Element {
  const { catalog, page } = panel;
  const { url } = page.state.value ?? {};
  return (
    <EmptyState
      title={`This page isn’t at a URL of ${catalog.environment.value?.name ?? 'this environment'}`}
      actions={<Button onClick={() => panel.openOptions()}>Open settings</Button>}
    >
      <p>
        It’s a page of an app with the same ID. To load {what} through it, add{' '}
        <code class="untrusted">{url === undefined ? '' : new URL(url).origin}</code> to the environment’s page URLs.
      </p>
    </EmptyState>
  );
}

function OpenPage({ panel }: { panel: Panel }): JSX.Element {
  const { catalog } = panel;
  const [text, setText] = useState('');
  const last = catalog.lastDebugPage.value;
  const isOpening = catalog.opening.value;
  const reason = isOpening ? 'Wait for the page to open' : null;
  return (
    <form
      class="open-page"
      onSubmit={(event) => {
        event.preventDefault();
        void panel.openPage(text);
      }}
    >
      {last ? (
        <Button kind="primary" unavailable={reason} onClick={() => void panel.openPage(String(last.id))}>
          Open the debug page of {last.name}
        </Button>
      ) : null}
      <input
        class="input"
        name="page-to-open"
        aria-label="URL of a page, or an action’s ID"
        placeholder="URL of a page, or an action’s ID"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button
        type="submit"
        unavailable={reason ?? (text.trim() === '' ? 'Enter a URL or an ID' : null)}
        onClick={() => {}}
      >
        {isOpening ? 'Opening…' : 'Open page'}
      </Button>
    </form>
  );
}
