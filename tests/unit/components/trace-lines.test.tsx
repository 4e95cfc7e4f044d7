// @vitest-environment happy-dom
/** Tests how traces in log records are shown. */
import { cleanup, render } from '@testing-library/preact';
import { afterEach, expect, it } from 'vitest';
import { TraceLines } from '../../../components/panel/actions/trace-lines.tsx';

afterEach(cleanup);

it('shows the lines of a trace, whatever JSON they are', () => {
  const { container } = render(<TraceLines lines={['/0', { toString: 1 }, null, 5]} />);
  const lines = [...container.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(lines).toEqual(['/0', '{"toString":1}', '', '5']);
});
