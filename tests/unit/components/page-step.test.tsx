// @vitest-environment happy-dom
/** What a migration offers while the tab has no page that can run its code. */
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, expect, it } from 'vitest';
import { NoPageStep } from '../../../components/panel/migrate/page-step.tsx';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';

afterEach(cleanup);

it.each([
  ['a page that is busy', 'Reload page', { code: 'PAGE_BUSY' }],
  ['a page that can’t be reached', 'Open debug page', { code: 'PAGE_UNREACHABLE' }],
  ['another page', 'Open debug page', null],
])('for %s, it’s “%s”', (_, label, lost) => {
  const panel = { page: { lost: { value: lost } }, canReload: true } as unknown as Panel;
  render(<NoPageStep panel={panel} actionId={1} />);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([label]);
});
