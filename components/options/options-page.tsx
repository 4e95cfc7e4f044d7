/** Owns the options page as a whole: what is read when, and what is said when it cannot be. */
import type { JSX } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Environment, ErrorValue } from '../../lib/platform-api/index.ts';
import { Alert, Button, Notice } from '../ui/index.ts';
import { useLock } from '../ui/unlock-port.ts';
import { Unlock } from '../ui/unlock.tsx';
import { AsideSection } from './aside-section.tsx';
import { EraseSection, StoredSection } from './data-section.tsx';
import { EnvironmentsSection } from './environments-section.tsx';
import { LockSection } from './lock-section.tsx';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import { RefusalsSection } from './refusals-section.tsx';
import { TransferSection } from './transfer-section.tsx';
import './options.css';

export function OptionsPage({ port }: { port: OptionsPort }): JSX.Element {
  const [environments, setEnvironments] = useState<readonly Environment[] | null>(null);
  const [access, setAccess] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [aside, setAside] = useState(0);
  const [damage, setDamage] = useState<ErrorValue | null>(null);
  const [error, setError] = useState<ErrorValue | null>(null);
  const [generation, setGeneration] = useState(0);
  const [forgotten, setForgotten] = useState(0);
  const kind = useLock(port.lock).state()?.kind ?? null;

  const refresh = useCallback(async (): Promise<void> => {
    const listed = await port.list();
    // After the list, which is what finds damaged records.
    const state = await port.state();
    setError(listed.ok ? null : listed.error);
    setAside(state.ok ? state.value.aside : 0);
    setDamage(!state.ok && state.error.code === 'VAULT_LOCK_DAMAGED' ? state.error : null);
    if (!listed.ok) return;
    setAccess(
      new Map(
        await Promise.all(listed.value.map(async ({ id, baseUrl }) => [id, await port.hasAccess(baseUrl)] as const)),
      ),
    );
    setEnvironments(listed.value);
  }, [port]);
  const changed = (): void => void refresh();
  useEffect(() => {
    void refresh();
    // Access can be taken away, and environments changed, elsewhere meanwhile.
    const onFocus = (): void => void refresh();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [refresh]);
  const known = useRef(kind);
  useEffect(() => {
    // Locked, no token is shown, not even masked.
    if (known.current !== null && known.current !== kind) void refresh();
    known.current = kind;
  }, [kind]);

  return (
    <main class="options-page">
      <header class="page-head">
        <h1>Platform DevTools</h1>
        <p>Debug actions in the DevTools panel “Platform”. Here you say where, and as whom.</p>
      </header>
      <Unlock lock={port.lock} onForgotten={() => setForgotten(forgotten + 1)} />
      {error ? <Alert error={error} actions={<Button onClick={changed}>Try again</Button>} /> : null}
      {aside > 0 ? (
        <Notice code="VAULT_RECORDS_ASIDE">
          {aside === 1
            ? 'One stored environment was damaged. It is'
            : `${aside} stored environments were damaged. They are`}{' '}
          kept aside and not used; nothing was deleted. Enter what is missing anew.
        </Notice>
      ) : null}
      {environments ? (
        <EnvironmentsSection
          key={generation}
          environments={environments}
          access={access}
          port={port}
          onChanged={refresh}
        />
      ) : null}
      <LockSection port={port} forgotten={forgotten} damage={damage} onChanged={changed} />
      {environments ? <TransferSection isEmpty={environments.length === 0} port={port} onChanged={changed} /> : null}
      <AsideSection port={port} />
      <RefusalsSection port={port} />
      <StoredSection kind={kind} />
      <EraseSection
        port={port}
        onChanged={() => {
          // What was said about environments is over with them.
          setGeneration(generation + 1);
          changed();
        }}
      />
    </main>
  );
}
