/** Lists environments, and opens forms to add and edit them. */
import type { JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FirstSteps } from '../../ui/first-steps.tsx';
import { Button } from '../../ui/index.ts';
import type { Draft } from '../../../lib/extension/options/draft.ts';
import { draftOf, emptyDraft, portOf } from '../../../lib/extension/options/draft.ts';
import { EnvironmentCard } from './environment-card.tsx';
import { EnvironmentForm } from './environment-form.tsx';
import type { Finding } from './local-finder.tsx';
import type { OptionsPort } from '../../../lib/extension/options/port.ts';
import type { Environment } from '../../../lib/extension/messaging/model/environment.ts';
import type { OptionsForm } from '../../../lib/extension/messaging/options-page.ts';

export interface EnvironmentsSectionProps {
  environments: readonly Environment[];
  /** By environment ID. */
  access: ReadonlyMap<string, boolean>;
  port: OptionsPort;
  /** Resolves once the list has been reloaded. */
  onChanged(): Promise<void>;
}

export function EnvironmentsSection({ environments, access, port, onChanged }: EnvironmentsSectionProps): JSX.Element {
  const { open, edit, add, addLocal, close: closeForm } = useForms(port);
  const [status, setStatus] = useState('');
  const section = useRef<HTMLElement>(null);
  const setFocus = useFocusedEnvironment(section);
  useEffect(() => {
    if (open) setStatus('');
  }, [open]);

  const close = (id = ''): void => {
    closeForm();
    setFocus(id);
  };
  const saved = async (environment: Environment, isAllowed: boolean): Promise<void> => {
    await onChanged();
    close(environment.id);
    const next = isAllowed ? (environments.length === 0 ? NEXT_STEP : '') : ' Allow access to its base URL to use it.';
    setStatus(`Saved ${environment.name}.${next}`);
  };

  const removed = async ({ name }: Environment, isHistoryRemoved: boolean): Promise<void> => {
    await onChanged();
    setStatus(`Removed ${name} and its token.${isHistoryRemoved ? '' : ' Its publish history couldn’t be removed.'}`);
    setFocus('');
  };

  const isAdding = open !== null && open.draft.id === undefined;
  const form = open && { start: open.draft, port, onSaved: saved, onCancel: () => close(open.draft.id) };
  return (
    <section ref={section} aria-labelledby="environments-title">
      <div class="section-head">
        <h2 id="environments-title">Environments</h2>
        {isAdding || environments.length === 0 ? null : <Button onClick={add}>Add environment</Button>}
      </div>
      <p class="status" role="status">
        {status}
      </p>
      {form && isAdding ? <EnvironmentForm key={open?.key} {...form} finding={open?.finding} /> : null}
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
            onRemoved={(isHistoryRemoved) => removed(environment, isHistoryRemoved)}
            onAccess={() => void onChanged()}
          />
        ),
      )}
      {environments.length === 0 && !isAdding ? <FirstSteps place="options" onAdd={add} onLocal={addLocal} /> : null}
    </section>
  );
}

const NEXT_STEP = ' Next, open DevTools (F12) on any page, and choose an action in the panel Platform.';

interface OpenForm {
  /** Another one for each form. */
  key: number;
  draft: Draft;
  finding: Finding | null;
}

/** The form that’s open: one for a new environment, one for the local platform, or one that edits an environment. */
function useForms(port: OptionsPort) {
  const [open, setOpen] = useState<OpenForm | null>(null);
  const lastKey = useRef(0);
  const edit = (draft: Draft, finding: Finding | null = null): void =>
    setOpen({ key: ++lastKey.current, draft, finding });
  const add = (): void => edit(emptyDraft());
  const addLocal = (): void => edit(emptyDraft('local'), port.findLocalPlatform(portOf('')));
  useRequestedForm(port, (form) => {
    if (form === 'new') return add();
    void port.hasAccess(emptyDraft('local').baseUrl).then((isAllowed) => {
      if (isAllowed) addLocal();
      // Access needs a click on this page.
      else edit(emptyDraft('local'));
    });
  });
  return { open, edit, add, addLocal, close: () => setOpen(null) };
}

/** Opens the form that another page of the extension asks for, now or while this page is open. */
function useRequestedForm(port: OptionsPort, onForm: (form: OptionsForm) => void): void {
  const open = useRef(onForm);
  open.current = onForm;
  useEffect(() => port.listenForForms((form) => open.current(form)), [port]);
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
