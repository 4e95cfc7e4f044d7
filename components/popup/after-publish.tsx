/** Owns what follows on *Publish*: the second step where there is one, then what becomes of it. The popup loads it then. */
import type { JSX } from 'preact';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { ConfirmView } from './confirm-view.tsx';
import { OutcomeView } from './outcome-view.tsx';

export function AfterPublish({ popup }: { popup: Popup }): JSX.Element {
  const shown = popup.shown.value;
  return shown ? <OutcomeView key={shown.id} popup={popup} record={shown} /> : <ConfirmView popup={popup} />;
}
