/** Says beside *Run* which mocks are on, and switches them. */
import type { JSX } from 'preact';
import type { Mocks } from '../../../../lib/extension/panel/run/mocks/mocks.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { MocksSwitches } from './mocks-switches.tsx';
import './mocks.css';

export interface MocksMenuProps {
  mocks: Mocks;
  /** Opens the editor; null if there’s none here. */
  onEdit: (() => void) | null;
}

export function MocksMenu({ mocks, onEdit }: MocksMenuProps): JSX.Element {
  const count = mocks.count.value;
  const names = mocks.namesOn.value;
  const hasProblem = mocks.hasProblem.value;
  const text = count > 0 || names ? `Mocks: ${names} ${count} on` : 'Mocks';
  return (
    <MenuButton
      menu="Mocks"
      menuClass="mocks-menu"
      button={{
        class: count > 0 ? 'button mocks-button on' : 'button quiet mocks-button',
        'aria-label': hasProblem ? `${text}, with problems` : text,
        title: text,
        'data-mocks-on': count,
      }}
      face={
        <>
          <MockIcon />
          <span class="mocks-names untrusted">{count > 0 ? names : 'Mocks'}</span>{' '}
          {count > 0 ? (
            <span class="mocks-count">
              {count}
              <span class="wide"> on</span>
            </span>
          ) : null}{' '}
          {hasProblem ? <span class="mocks-problem">!</span> : null}
          <span class="wide" aria-hidden="true">
            ▾
          </span>
        </>
      }
      onOpen={() => void mocks.refresh()}
    >
      {(close) => (
        <MocksSwitches
          mocks={mocks}
          onEdit={
            onEdit &&
            (() => {
              close();
              onEdit();
            })
          }
        />
      )}
    </MenuButton>
  );
}

/** A flask. Without room for text, the button has only this and the number of mocks. */
const MockIcon = (): JSX.Element => (
  <svg class="mock-icon" viewBox="0 0 16 16" width="13" height="13" aria-hidden="true">
    <path d="M6 1.5h4M6.8 1.5v4.2L2.6 13a1 1 0 0 0 .9 1.5h9a1 1 0 0 0 .9-1.5L9.2 5.7V1.5M4.7 10h6.6" />
  </svg>
);
