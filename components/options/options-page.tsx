/** The options page: loads environments and their state, and lays out its sections. */
import type { JSX } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorValue } from '../../lib/platform-api/index.ts';
import { DOC_PAGES, docUrl, type DocPage } from '../../lib/shared/docs.ts';
import { plural } from '../../lib/shared/format.ts';
import { Alert, Boundary, Button, Notice, Surface } from '../ui/index.ts';
import { useLock } from '../ui/unlock/unlock-port.ts';
import { Unlock } from '../ui/unlock/unlock.tsx';
import { EraseSection, StoredSection } from './data-section.tsx';
import { EnvironmentsSection } from './environments/environments-section.tsx';
import { LockSection } from './lock-section.tsx';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import { QuarantineSection } from './quarantine-section.tsx';
import { RefusedMessagesSection } from './refused-messages-section.tsx';
import { TransferSection } from './transfer-section.tsx';
import './options.css';
import type { Environment } from '../../lib/extension/messaging/model/environment.ts';
import type { LockState } from '../../lib/extension/messaging/model/lock.ts';

export function OptionsPage({ port }: { port: OptionsPort }): JSX.Element {
  return (
    <Surface name="options">
      <Main port={port} />
    </Surface>
  );
}

function Main({ port }: { port: OptionsPort }): JSX.Element {
  const [generation, setGeneration] = useState(0);
  const [forgotten, setForgotten] = useState(0);
  const kind = useLock(port.lock).state()?.kind ?? null;
  const { environments, access, quarantined, damage, error, refresh } = useEnvironments(port, kind);
  const changed = (): void => void refresh();

  return (
    <main class="options-page">
      <Head />
      <Unlock lock={port.lock} onForgotten={() => setForgotten(forgotten + 1)} />
      {error ? <Alert error={error} actions={<Button onClick={changed}>Try again</Button>} /> : null}
      {quarantined > 0 ? (
        <Notice code="VAULT_RECORDS_ASIDE">
          {`${plural(quarantined, 'damaged environment')} moved to quarantine. Nothing was deleted. Add anything that’s missing again.`}
        </Notice>
      ) : null}
      {environments ? (
        <Boundary>
          <EnvironmentsSection
            key={generation}
            environments={environments}
            access={access}
            port={port}
            onChanged={refresh}
          />
        </Boundary>
      ) : null}
      <LaterSections
        key={`later ${generation}`}
        port={port}
        environments={environments}
        forgotten={forgotten}
        damage={damage}
        onChanged={changed}
      />
      <StoredSection kind={kind} />
      <EraseSection
        port={port}
        onChanged={() => {
          // Remounts the sections, which clears their messages and what they have loaded.
          setGeneration(generation + 1);
          changed();
        }}
      />
    </main>
  );
}

const LINKS: Partial<Record<DocPage, string>> = {
  start: 'Docs',
  errors: DOC_PAGES.errors,
  licenses: DOC_PAGES.licenses,
};

const Head = (): JSX.Element => (
  <header class="page-head">
    <h1>Platform DevTools</h1>
    <p>On this page, add the environments you connect to. Debug actions in the Platform panel in DevTools.</p>
    <p>
      {Object.entries(LINKS).map(([page, label], index) => (
        <>
          {index > 0 ? ' · ' : ''}
          <a href={docUrl(page as DocPage)} target="_blank">
            {label}
          </a>
        </>
      ))}
    </p>
  </header>
);

interface LaterSectionsProps {
  port: OptionsPort;
  environments: readonly Environment[] | null;
  forgotten: number;
  damage: ErrorValue | null;
  onChanged: () => void;
}

/** A section that fails leaves the others as they are. */
function LaterSections({ port, environments, forgotten, damage, onChanged }: LaterSectionsProps): JSX.Element {
  return (
    <>
      <Boundary>
        <LockSection port={port} forgotten={forgotten} damage={damage} onChanged={onChanged} />
      </Boundary>
      <Boundary>
        {environments ? <TransferSection environments={environments} port={port} onChanged={onChanged} /> : null}
      </Boundary>
      <Boundary>
        <QuarantineSection port={port} />
      </Boundary>
      <Boundary>
        <RefusedMessagesSection port={port} />
      </Boundary>
    </>
  );
}

/** Loads environments, and reloads them when something outside this page might have changed them. */
function useEnvironments(port: OptionsPort, kind: LockState['kind'] | null) {
  const [environments, setEnvironments] = useState<readonly Environment[] | null>(null);
  const [access, setAccess] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [quarantined, setQuarantined] = useState(0);
  const [damage, setDamage] = useState<ErrorValue | null>(null);
  const [error, setError] = useState<ErrorValue | null>(null);

  const refresh = useCallback(async (): Promise<void> => {
    const listed = await port.list();
    // Must follow the list request, which quarantines damaged records.
    const state = await port.state();
    setError(listed.ok ? null : listed.error);
    if (state.ok) setQuarantined(state.value.quarantined);
    setDamage(state.ok && state.value.lock.kind === 'locked' ? (state.value.lock.problem ?? null) : null);
    if (!listed.ok) return;
    setAccess(
      new Map(
        await Promise.all(listed.value.map(async ({ id, baseUrl }) => [id, await port.hasAccess(baseUrl)] as const)),
      ),
    );
    setEnvironments(listed.value);
  }, [port]);
  useEffect(() => {
    void refresh();
    const unsubscribe = port.changes.subscribe(() => void refresh());
    // The user can revoke access in the browser’s settings, which nothing announces.
    const onFocus = (): void => void refresh();
    window.addEventListener('focus', onFocus);
    return () => {
      unsubscribe();
      window.removeEventListener('focus', onFocus);
    };
  }, [port, refresh]);
  const previous = useRef(kind);
  useEffect(() => {
    // Masked tokens are shown only while the vault is unlocked.
    if (previous.current !== null && previous.current !== kind) void refresh();
    previous.current = kind;
  }, [kind]);
  return { environments, access, quarantined, damage, error, refresh };
}
