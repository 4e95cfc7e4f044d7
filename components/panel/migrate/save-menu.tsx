/** Saves the files of a migration. */
import type { JSX } from 'preact';
import type { MigrationFileName, Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import { Button } from '../../ui/index.ts';
import { MenuButton } from '../../ui/menu-button.tsx';

const FILES: [name: MigrationFileName, text: string][] = [
  ['action.v3.js', 'The code, with your changes'],
  ['action.v3.json', 'All other properties of the action'],
  ['report.json', 'Every step with its status, and what was compared'],
];

export function SaveMenu({ migrating }: { migrating: Migrating }): JSX.Element {
  return (
    <MenuButton
      menu="Save files"
      menuClass="commands"
      button={{ title: 'Save the code, its properties, and the report' }}
      face={
        <>
          Save files <span aria-hidden="true">▾</span>
        </>
      }
    >
      {(close) => (
        <ul>
          {FILES.map(([name, text]) => (
            <li key={name}>
              <Button
                kind="quiet"
                onClick={() => {
                  close();
                  migrating.saveFile(name);
                }}
              >
                {name}
              </Button>
              <p class="muted">{text}</p>
            </li>
          ))}
          <li>
            <Button
              kind="quiet"
              onClick={() => {
                close();
                migrating.saveFiles();
              }}
            >
              All three
            </Button>
          </li>
        </ul>
      )}
    </MenuButton>
  );
}
