/** Each shortcut that the help lists exists: a test presses its keys. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MODIFIER, SHORTCUTS } from '../../../../../lib/extension/panel/shell/shortcuts.ts';
import { TABS } from '../../../../../lib/extension/panel/shell/tabs.ts';

type Test = [file: string, title: string];

const ROWS: Record<string, Test> = {
  '↑ ↓': ['unit/components/grid.test.tsx', 'on %j, moves to row %i'],
  'Home End': ['unit/components/grid.test.tsx', 'on %j, moves to row %i'],
};
const TREE: Record<string, Test> = {
  '↑ ↓': ['unit/components/virtual-tree.test.tsx', 'moves selection and focus with the arrow keys, Home, and End'],
  'Home End': ['unit/components/virtual-tree.test.tsx', 'moves selection and focus with the arrow keys, Home, and End'],
  '→ ←': [
    'unit/components/virtual-tree.test.tsx',
    'collapses with Left, expands with Right, and moves to the parent and the first child',
  ],
};
const IN_DEVTOOLS: Test = [
  'e2e/run/whole-job.test.ts',
  'each key in the list of shortcuts works in DevTools, where Enter and Escape stay in the panel',
];
const FAILED: Test = [
  'e2e/run/whole-job.test.ts',
  'a failing action shows its code, the failed step with its path, and the trace',
];
const DEBUGGED: Test = [
  'e2e/run/debugger.test.ts',
  'a breakpoint with a condition pauses at the right item, and F8, F9, F10, F11, and Shift+F11 work from there',
];
const EDITOR: Test = ['exhaustive/e2e/actions/actions-edit.test.ts', 'an action can be created with only the keyboard'];

const PRESSED: Record<keyof typeof SHORTCUTS, Record<string, Test>> = {
  run: {
    ...TREE,
    [`${MODIFIER}⏎`]: IN_DEVTOOLS,
    '⏎': IN_DEVTOOLS,
    Esc: IN_DEVTOOLS,
    N: FAILED,
    F8: DEBUGGED,
    F9: DEBUGGED,
    F10: DEBUGGED,
    F11: DEBUGGED,
    'Shift+F11': DEBUGGED,
  },
  actions: {
    ...ROWS,
    '⏎': ['e2e/actions/actions-tab.test.ts', 'the Actions tab works with only the keyboard'],
    [`${MODIFIER}S`]: EDITOR,
    'Alt+↑ ↓': EDITOR,
    Delete: EDITOR,
    [`${MODIFIER}⏎`]: [
      'exhaustive/e2e/actions/actions-edit.test.ts',
      'the trigger lab sends an analytics event to the preview page, and shows what it fired there',
    ],
  },
  oauth2: TREE,
  apps: {
    ...ROWS,
    '⏎': ['exhaustive/e2e/apps/apps-tab.test.ts', 'the Apps tab works with only the keyboard'],
    '→ ←': [
      'e2e/apps/apps-tab.test.ts',
      'each chart has the theme’s colors, a text alternative, a table of its numbers, and a keyboard cursor',
    ],
  },
};

describe.each(TABS)('the shortcuts of the tab $label', ({ id }) => {
  it.each(SHORTCUTS[id])('include $keys, which a test presses', async ({ keys }) => {
    const [file, title] = PRESSED[id][keys] ?? [];
    expect(title).toBeDefined();
    expect(await readFile(resolve(import.meta.dirname, '../../../../..', 'tests', file ?? ''), 'utf8')).toContain(
      title,
    );
  });

  it('include no keys twice', () => {
    const keys = SHORTCUTS[id].map((one) => one.keys);
    expect(keys).toEqual([...new Set(keys)]);
  });
});
