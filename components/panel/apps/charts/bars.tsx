/** A bar chart of shares, rendered as a table for accessibility. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Share } from '../../../../lib/extension/panel/apps/types.ts';
import { formatCount, truncate } from '../../../../lib/shared/format.ts';
import { percentText, sharesText } from './summaries.ts';
import './charts.css';

export function Bars({ id, title, shares }: { id: string; title: string; shares: readonly Share[] }): JSX.Element {
  const label = useId();
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...shares.map(({ count }) => count));
  return (
    <figure class="chart" data-chart={id} aria-labelledby={label}>
      <figcaption>
        <h3 id={label}>{title}</h3>
        <p class="untrusted" data-text-alternative="">
          {sharesText(shares)}
        </p>
      </figcaption>
      {shares.length === 0 ? null : (
        <table class="share-bars">
          <thead class="visually-hidden">
            <tr>
              <th scope="col">{title}</th>
              <td />
              <th scope="col">Share</th>
              <th scope="col">Sessions</th>
            </tr>
          </thead>
          <tbody>
            {shares.map(({ label, count }) => (
              <tr key={label}>
                <th scope="row" class="untrusted" title={truncate(label, 300)}>
                  {label === '' ? 'unknown' : truncate(label, 100)}
                </th>
                <td class="track">
                  <i aria-hidden="true" style={{ width: `${(100 * count) / most}%` }} />
                </td>
                <td>{percentText(count, total)}</td>
                <td>{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </figure>
  );
}
