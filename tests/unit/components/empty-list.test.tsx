// @vitest-environment happy-dom
/** Tests what the panel says of a list without items. */
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, expect, it } from 'vitest';
import { NoRecords } from '../../../components/panel/actions/logs-view.tsx';
import { EmptyList } from '../../../components/panel/shared/empty-list.tsx';

afterEach(cleanup);

it('says that there are none only if there are none that can’t be read', () => {
  const { rerender } = render(<EmptyList title="No sessions" what="session" unreadable={[]} />);
  expect(screen.getByRole('heading').textContent).toBe('No sessions');
  const unreadable = [{ id: 3, item: 'ID 3', why: 'version: must be a number' }];
  rerender(<EmptyList title="No sessions" what="session" unreadable={unreadable} />);
  expect(screen.getByRole('heading').textContent).toBe('Couldn’t read any of 1 session');
  expect(screen.getByText('ID 3 (version: must be a number)')).toBeTruthy();
});

it('says that no log record matches if others could be read', () => {
  const logs = {
    error: { value: null },
    count: { value: 2 },
    filters: { value: { query: '' } },
    isFiltered: { value: true },
    loadedCount: { value: 1 },
    unreadable: { value: [{ id: 3, item: 'ID 3', why: 'data: must be an object' }] },
  };
  render(<NoRecords logs={logs as never} />);
  expect(screen.getByRole('heading').textContent).toBe('No log records match these filters');
});
