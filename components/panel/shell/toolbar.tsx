/** Lets the user choose an environment, app, and action, or paste a URL, and then open the page. */
import type { JSX } from 'preact';
import { type Environment, labelOf } from '../../../lib/extension/messaging/model/environment.ts';
import { STALE_FOR_SEARCH } from '../../../lib/extension/panel/shell/catalog.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatTime, plural } from '../../../lib/shared/format.ts';
import { isCommandEnter } from '../../../lib/shared/keys.ts';
import { Badge, Button, Combobox } from '../../ui/index.ts';
import { useMedia } from '../shared/use-media.ts';
import { UnlockedBadges } from './guard-badges.tsx';
import type { Loadable } from '../../../lib/extension/panel/shared/loadable.ts';
import { unreadableOf } from '../../../lib/platform-api/lists/unreadable.ts';
import './toolbar.css';

/** @param withAction also shows the action, the URL, and *Open*, for the *Run* tab */
export function Toolbar({ panel, withAction }: { panel: Panel; withAction: boolean }): JSX.Element | null {
  const { catalog } = panel;
  const environments = catalog.environments.value.value ?? [];
  if (environments.length === 0) return null;
  return (
    <div class={withAction ? 'toolbar' : 'toolbar short'}>
      <EnvironmentChoice panel={panel} environments={environments} />
      <AppChoice panel={panel} />
      {withAction ? (
        <>
          <ActionChoice panel={panel} />
          <UrlAndOpen panel={panel} />
        </>
      ) : null}
    </div>
  );
}

interface EnvironmentChoiceProps {
  panel: Panel;
  environments: readonly Environment[];
}

/** The badge is beside the selector, which cuts long names. */
function EnvironmentChoice({ panel, environments }: EnvironmentChoiceProps): JSX.Element {
  const { catalog, guard } = panel;
  const environment = catalog.environment.value;
  const isUnlocked = guard.unlocked.value.some((one) => one.environment.id === environment?.id);
  const option = (one: Environment): JSX.Element => (
    <option key={one.id} value={one.id}>
      {labelOf(one, environments)}
    </option>
  );
  const productions = environments.filter(({ production }) => production);
  return (
    <div class="pick environment">
      <select
        class="input"
        name="environment"
        aria-label="Environment"
        title={environment ? `${environment.name}, ${environment.baseUrl}` : undefined}
        value={environment?.id ?? ''}
        onChange={(event) => void catalog.chooseEnvironment(event.currentTarget.value)}
      >
        {environments.filter(({ production }) => !production).map(option)}
        {productions.length > 0 ? <optgroup label="Production">{productions.map(option)}</optgroup> : null}
      </select>
      {environment?.production && !isUnlocked ? <Badge tone="danger">Production</Badge> : null}
      <UnlockedBadges panel={panel} />
    </div>
  );
}

function AppChoice({ panel: { catalog } }: { panel: Panel }): JSX.Element {
  const { state, value: apps } = catalog.apps.value;
  const isLoading = state === 'loading';
  const unreadable = unreadableOf(apps).length;
  return (
    <div class="pick">
      <Combobox
        name="app"
        label="App"
        placeholder={isLoading ? 'Loading apps…' : 'App'}
        empty={emptyText('apps', state, unreadable) ?? 'The platform lists no apps for this token.'}
        options={(apps ?? []).map(({ id, name }) => ({ value: String(id), label: name, hint: String(id) }))}
        value={catalog.appId.value === null ? null : String(catalog.appId.value)}
        listNote={listNote(isLoading, catalog.appsReadAt.value)}
        onNoMatch={() => void catalog.refreshApps({ ifOlderThan: STALE_FOR_SEARCH })}
        onPick={(id) => catalog.chooseApp(Number(id))}
      />
    </div>
  );
}

function ActionChoice({ panel }: { panel: Panel }): JSX.Element {
  const { catalog } = panel;
  const { state } = catalog.actions.value;
  const isOutOfReach = catalog.backend.value?.way === 'none';
  const empty = (): string => {
    if (catalog.appId.value === null) return 'Choose an app first.';
    if (isOutOfReach) return 'Open a page of the app to list its actions, or paste a URL or an action’s ID.';
    return emptyText('actions', state, catalog.unreadable.value.length) ?? 'This app has no actions.';
  };
  return (
    <div class="pick">
      <Combobox
        name="action"
        label="Action"
        placeholder={state === 'loading' ? 'Loading actions…' : 'Action'}
        empty={empty()}
        options={catalog.choices.value.map(({ id, name, triggers }) => ({
          value: String(id),
          label: name,
          hint: triggers?.map(({ trigger }) => trigger).join(', ') ?? '',
        }))}
        value={catalog.actionId.value === null ? null : String(catalog.actionId.value)}
        listNote={listNote(state === 'loading', catalog.choicesReadAt.value)}
        onNoMatch={() => void (isOutOfReach || catalog.refreshActions({ ifOlderThan: STALE_FOR_SEARCH }))}
        onPick={(id) => catalog.chooseAction(Number(id))}
        onEnter={() => void panel.open()}
      />
    </div>
  );
}

/** What an empty list says until it’s known to be empty; null once it is. */
function emptyText(what: 'apps' | 'actions', state: Loadable<unknown>['state'], unreadable: number): string | null {
  if (state === 'loading') return `Loading ${what}…`;
  if (state === 'failed') return `Couldn’t load the ${what}.`;
  if (state === 'idle') return `The ${what} aren’t loaded.`;
  return unreadable > 0 ? `Couldn’t read any of ${plural(unreadable, what.slice(0, -1))}.` : null;
}

/** What is said below a search without a match: how old the searched list is. */
const listNote = (isLoading: boolean, readAt: number | null): string => {
  if (isLoading) return 'Loading the list again…';
  return readAt === null ? 'The list’s age is unknown' : `The list of ${formatTime(readAt, { seconds: true })}`;
};

function UrlAndOpen({ panel }: { panel: Panel }): JSX.Element {
  const { catalog } = panel;
  const isNarrow = useMedia('(max-width: 699px)');
  const isOutOfReach = catalog.backend.value?.way === 'none';
  const open = (): void => void panel.open();
  return (
    <div class="url-and-open">
      <input
        class="input url"
        name="url"
        aria-label="URL of a debug page or app page"
        placeholder={isNarrow ? 'URL' : isOutOfReach ? 'URL, or action’s ID' : 'or paste a URL'}
        autocomplete="off"
        spellcheck={false}
        value={catalog.url.value}
        onInput={(event) => catalog.setUrl(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isCommandEnter(event)) open();
        }}
      />
      {catalog.opening.value ? (
        <Button title="Stay on this page" onClick={catalog.cancelOpening}>
          Cancel
        </Button>
      ) : (
        <Button
          unavailable={catalog.cannotOpen.value}
          title="Open the action’s debug page or the pasted URL in this tab"
          onClick={open}
        >
          Open
        </Button>
      )}
    </div>
  );
}
