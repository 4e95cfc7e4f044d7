/** Lists environments, and opens forms to add and edit them. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, EmptyState } from '../ui/index.ts';
import type { Draft } from '../../lib/extension/options/draft.ts';
import { draftOf, emptyDraft } from '../../lib/extension/options/draft.ts';
import { EnvironmentCard } from './environment-card.tsx';
import { EnvironmentForm } from './environment-form.tsx';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import type { Environment } from '../../lib/extension/messaging/model/environment.ts';

export interface EnvironmentsSectionProps {
  environments: readonly Environment[];
  /** By environment ID. */
  access: ReadonlyMap<string, boolean>;
  port: OptionsPort;
  /** Resolves when the list was loaded again. */
  onChanged(): Promise<void>;
}

export function EnvironmentsSection({ environments, access, port, onChanged }: EnvironmentsSectionProps): JSX.Element {
  const [open, setOpen] = useState<Draft | null>(null);
  const [status, setStatus] = useState('');
  const section = useRef<HTMLElement>(null);
  /** ID of the environment to focus after a form closes; empty for the Add button. */
  const [focus, setFocus] = useState<string | null>(null);

  useLayoutEffect(() => {
    if (focus === null) return;
    const within = [...(section.current?.querySelectorAll('[data-environment]') ?? [])].find(
      (card) => card.getAttribute('data-environment') === focus,
    );
    const [button] = [...((within ?? section.current)?.querySelectorAll<HTMLElement>('button') ?? [])].filter(
      ({ textContent }) => textContent === (within ? 'Edit' : 'Add environment'),
    );
    button?.focus();
    setFocus(null);
  }, [focus]);

  const close = (id?: string): void => {
    setOpen(null);
    setFocus(id ?? '');
  };
  const add = (draft: Draft): void => {
    setStatus('');
    setOpen(draft);
  };
  const saved = async (environment: Environment, isAllowed: boolean): Promise<void> => {
    await onChanged();
    close(environment.id);
    setStatus(
      isAllowed ? `Saved ${environment.name}.` : `Saved ${environment.name}. Allow access to its base URL to use it.`,
    );
  };

  const isAdding = open !== null && open.id === undefined;
  return (
    <section ref={section} aria-labelledby="environments-title">
      <div class="section-head">
        <h2 id="environments-title">Environments</h2>
        {isAdding || environments.length === 0 ? null : (
          <Button onClick={() => add(emptyDraft())}>Add environment</Button>
        )}
      </div>
      <p class="status" role="status">
        {status}
      </p>
      {isAdding ? (
        <EnvironmentForm key="new" start={open} port={port} onSaved={saved} onCancel={() => close()} />
      ) : null}
      {environments.map((environment) =>
        open?.id === environment.id ? (
          <EnvironmentForm
            key={environment.id}
            start={open}
            stored={environment}
            port={port}
            onSaved={saved}
            onCancel={() => close(environment.id)}
          />
        ) : (
          <EnvironmentCard
            key={environment.id}
            environment={environment}
            hasAccess={access.get(environment.id) ?? null}
            port={port}
            onEdit={() => {
              setStatus('');
              setOpen(draftOf(environment));
            }}
            onRemoved={async () => {
              await onChanged();
              setStatus(`Removed ${environment.name} and its token.`);
              setFocus('');
            }}
            onAccess={() => void onChanged()}
          />
        ),
      )}
      {environments.length === 0 && !isAdding ? (
        <EmptyState
          title="No environments yet"
          actions={
            <>
              <Button kind="primary" onClick={() => add(emptyDraft())}>
                Add environment
              </Button>
              <Button onClick={() => add(emptyDraft('local'))}>Use the local platform</Button>
            </>
          }
        >
          <p>An environment is a platform you connect to: its base URL and your token.</p>
          <p>
            To try the extension offline, run <code>npm run platform</code> in the project and enter the token it
            prints.
          </p>
        </EmptyState>
      ) : null}
    </section>
  );
}
