/** What to do first, on every surface that needs an environment and has none. */
import type { ComponentChildren, JSX } from 'preact';
import { docUrl } from '../../lib/shared/docs.ts';
import { Button } from './button.tsx';
import './first-steps.css';

type Place = 'panel' | 'popup' | 'options';

export interface FirstStepsProps {
  place: Place;
  onAdd: () => void;
  onLocal: () => void;
}

interface Step {
  title: string;
  text: string;
}

const STEPS: Record<Place, { title: string; later: readonly Step[] }> = {
  panel: {
    title: 'Three steps to your first run',
    later: [
      { title: 'Choose an action', text: 'Selectors for its app and the action then appear at the top of this panel.' },
      { title: 'Run it', text: 'Each step appears here as it runs, with its settings, time, and result.' },
    ],
  },
  options: {
    title: 'Three steps to your first run',
    later: [
      { title: 'Choose an action', text: 'Open DevTools on any page (F12), then the panel Platform.' },
      { title: 'Run it', text: 'The panel shows each step as it runs, with its settings, time, and result.' },
    ],
  },
  popup: {
    title: 'Three steps to your first release',
    later: [
      { title: 'Choose an app', text: 'You see its version, and how many users get the update.' },
      { title: 'Publish it', text: 'Write release notes, and publish the update.' },
    ],
  },
};

export function FirstSteps({ place, onAdd, onLocal }: FirstStepsProps): JSX.Element {
  const { title, later } = STEPS[place];
  return (
    <section class="first-steps" data-code="NO_ENVIRONMENT" aria-label={title}>
      <h2>{title}</h2>
      <ol>
        <Item title="Add an environment" text="A platform you connect to: its base URL and your token.">
          <div class="actions">
            <Button kind="primary" onClick={onAdd}>
              Add environment
            </Button>
            <Button onClick={onLocal}>Use the local platform</Button>
          </div>
        </Item>
        {later.map((step) => (
          <Item key={step.title} {...step} />
        ))}
      </ol>
      <p>
        <a href={docUrl('start')} target="_blank">
          Getting started
        </a>
      </p>
    </section>
  );
}

const Item = ({ title, text, children }: Step & { children?: ComponentChildren }): JSX.Element => (
  <li>
    <strong>{title}</strong>
    <p>{text}</p>
    {children}
  </li>
);
