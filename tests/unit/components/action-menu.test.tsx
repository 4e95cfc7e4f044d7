// @vitest-environment happy-dom
/** Moves in a menu of actions with the keyboard, and picks. */
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ActionMenu } from '../../../components/ui/action-menu.tsx';

afterEach(cleanup);

function show() {
  const picked = vi.fn();
  const outside = vi.fn();
  const action = (label: string, unavailable: string | null = null) => ({
    label,
    unavailable,
    onPick: () => picked(label),
  });
  render(
    <div onKeyDown={outside}>
      <ActionMenu
        label="Step"
        at={{ x: 5, y: 5 }}
        groups={[[action('Add'), action('Edit')], [action('Run', 'Start a run first')]]}
        onClose={() => {}}
      />
    </div>,
  );
  const press = (key: string) => fireEvent.keyDown(screen.getByRole('menu'), { key });
  const focused = () => document.activeElement?.textContent;
  return { picked, outside, press, focused };
}

describe('a menu of actions', () => {
  it('moves focus with the arrow keys, from the last item to the first, and with Home and End', () => {
    const { press, focused, outside } = show();
    expect(focused()).toBe('Add');
    press('ArrowDown');
    press('ArrowDown');
    expect(focused()).toBe('Run');
    press('ArrowDown');
    expect(focused()).toBe('Add');
    press('ArrowUp');
    expect(focused()).toBe('Run');
    press('Home');
    expect(focused()).toBe('Add');
    press('End');
    expect(focused()).toBe('Run');
    expect(outside).not.toHaveBeenCalled();
  });

  it('picks an item, but not one that’s disabled, which says why', () => {
    const { picked } = show();
    const disabled = screen.getByRole('menuitem', { name: 'Run' });
    expect(disabled.getAttribute('aria-description')).toBe('Start a run first');
    fireEvent.click(disabled);
    expect(picked).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Edit' }));
    expect(picked.mock.calls).toEqual([['Edit']]);
  });
});
