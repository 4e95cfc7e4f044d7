/** Switches between a draft's form and its JSON. */
import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../../ui/index.ts';

export function ViewSwitch({ view }: { view: Signal<'form' | 'json'> }): JSX.Element {
  return (
    <div class="view-buttons" role="group" aria-label="View">
      <Button kind="quiet" pressed={view.value === 'form'} onClick={() => (view.value = 'form')}>
        Form
      </Button>
      <Button kind="quiet" pressed={view.value === 'json'} onClick={() => (view.value = 'json')}>
        JSON
      </Button>
    </div>
  );
}
