/** Lists environments, and opens forms to add and edit them. */
import type { JSX, RefObject } from 'preact';
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
  /** Resolves once the list has been reloaded. */
  onChanged(): Promise<void>;
}

export function EnvironmentsSection({ environments, access, port, onChanged }: EnvironmentsSectionProps): JSX.Element {
  const [open, setOpen] = useState<Draft | null>(null);
  const [status, setStatus] = useState('');
  const section = useRef<HTMLElement>(null);
  const setFocus = useFocusedEnvironment(section);

  const close = (id = ''): void => {
    setOpen(null);
    setFocus(id);
  };
  const edit = (draft: Draft): void => {
    setStatus('');
    setOpen(draft);
  };
  const saved = async (environment: Environment, isAllowed: boolean): Promise<void> => {
    await onChanged();
    close(environment.id);
    setStatus(`Saved ${environment.name}.${isAllowed ? '' : ' Allow access to its base URL to use it.'}`);
  };

  const removed = async ({ name }: Environment): Promise<void> => {
    await onChanged();
    setStatus(`Removed ${name} and its token.`);
    setFocus('');
  };

  const isAdding = open !== null && open.id === undefined;
  const form = open && { start: open, port, onSaved: saved, onCancel: () => close(open.id) };
  return (
    <section ref={section} aria-labelledby="environments-title">
      <div class="section-head">
        <h2 id="environments-title">Environments</h2>
        {isAdding || environments.length === 0 ? null : (
          <Button onClick={() => edit(emptyDraft())}>Add environment</Button>
        )}
      </div>
      <p class="status" role="status">
        {status}
      </p>
      {form && isAdding ? <EnvironmentForm key="new" {...form} /> : null}
      {environments.map((environment) =>
        form?.start.id === environment.id ? (
          <EnvironmentForm key={environment.id} {...form} stored={environment} />
        ) : (
          <EnvironmentCard
            key={environment.id}
            environment={environment}
            hasAccess={access.get(environment.id) ?? null}
            port={port}
            onEdit={() => edit(draftOf(environment))}
            onRemoved={() => removed(environment)}
            onAccess={() => void onChanged()}
          />
        ),
      )}
      {environments.length === 0 && !isAdding ? <NoEnvironments onAdd={edit} /> : null}
    </section>
  );
}

function NoEnvironments({ onAdd }: { onAdd: (draft: Draft) => void }): JSX.Element {
  return (
    <EmptyState
      title="No environments yet"
      actions={
        <>
          <Button kind="primary" onClick={() => onAdd(emptyDraft())}>
            Add environment
          </Button>
          <Button onClick={() => onAdd(emptyDraft('local'))}>Use the local platform</Button>
        </>
      }
    >
      <p>An environment is a platform you connect to: its base URL and your token.</p>
      <p>
        To try the extension offline, run <code>npm run platform</code> in the project and enter the token it prints.
      </p>
    </EmptyState>
  );
}

/** Focuses the Edit button of the environment with the given ID, or the Add button if there’s no such environment. */
function useFocusedEnvironment(section: RefObject<HTMLElement | null>): (id: string) => void {
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
  return setFocus;
}
