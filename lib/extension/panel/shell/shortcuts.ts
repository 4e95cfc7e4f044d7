/** The keyboard shortcuts that each tab lists in its help. */
import type { TabId } from './tabs.ts';

/** The modifier key’s name on this computer’s keyboard. */
export const MODIFIER = typeof navigator !== 'undefined' && /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl+';

export interface Shortcut {
  keys: string;
  action: string;
}

const ROWS: readonly Shortcut[] = [
  { keys: '↑ ↓', action: 'Move through rows' },
  { keys: 'Home End', action: 'Move to the first or last row' },
];
const EXPAND: Shortcut = { keys: '→ ←', action: 'Expand and collapse' };

export const SHORTCUTS: Record<TabId, readonly Shortcut[]> = {
  run: [
    { keys: `${MODIFIER}⏎`, action: 'Run' },
    ...ROWS,
    EXPAND,
    { keys: '⏎', action: 'Show a step’s details' },
    { keys: 'N', action: 'In the timeline, select the next failed step' },
    { keys: 'Esc', action: 'Show the whole run' },
    { keys: 'F8', action: 'Pause or resume the run' },
    { keys: 'F9', action: 'Add or remove the selected step’s breakpoint' },
    { keys: 'F10', action: 'Step over' },
    { keys: 'F11', action: 'Step into' },
    { keys: 'Shift+F11', action: 'Step out' },
  ],
  actions: [
    ...ROWS,
    { keys: '⏎', action: 'Edit the action' },
    { keys: `${MODIFIER}S`, action: 'Save the action that you edit' },
    { keys: 'Alt+↑ ↓', action: 'Move a step of the pipeline that you edit' },
    { keys: 'Delete', action: 'Remove that step' },
    { keys: `${MODIFIER}⏎`, action: 'Send the event of the trigger lab' },
  ],
  oauth2: [...ROWS, EXPAND],
  apps: [...ROWS, { keys: '⏎', action: 'Open the app’s page' }, { keys: '→ ←', action: 'Move through a chart' }],
};
