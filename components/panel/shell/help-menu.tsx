/** The gear, which opens the options, and “?”, which lists the tab’s shortcuts and leads to the docs. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { SHORTCUTS } from '../../../lib/extension/panel/shell/shortcuts.ts';
import { TABS, type TabId } from '../../../lib/extension/panel/shell/tabs.ts';
import { docUrl, type DocPage } from '../../../lib/shared/docs.ts';
import { Button } from '../../ui/index.ts';

const DOCS: readonly { page: DocPage; label: string }[] = [
  { page: 'start', label: 'Getting started' },
  { page: 'surfaces', label: 'What each tab does' },
  { page: 'debugger', label: 'Debug an action' },
  { page: 'errors', label: 'Error reference' },
  { page: 'limits', label: 'Limits' },
];

export function HelpMenu({ tab, openOptions }: { tab: TabId; openOptions: () => void }): JSX.Element {
  const id = useId();
  const name = TABS.find((one) => one.id === tab)?.label ?? '';
  return (
    <>
      <Button kind="quiet" label="Options" title="Options" onClick={openOptions}>
        <Gear />
      </Button>
      <button type="button" class="button quiet" aria-label="Help" title="Shortcuts and docs" popovertarget={id}>
        ?
      </button>
      <div id={id} popover="auto" class="menu help" aria-label="Help" role="dialog">
        <h2>Shortcuts in {name}</h2>
        <dl>
          {SHORTCUTS[tab].map(({ keys, action }) => (
            <div key={action}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{action}</dd>
            </div>
          ))}
        </dl>
        <h2>Docs</h2>
        <ul>
          {DOCS.map(({ page, label }) => (
            <li key={page}>
              <a href={docUrl(page)} target="_blank">
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

const Gear = (): JSX.Element => (
  <svg class="gear" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
    <circle cx="8" cy="8" r="4.2" />
    <circle cx="8" cy="8" r="6.2" class="teeth" />
  </svg>
);
