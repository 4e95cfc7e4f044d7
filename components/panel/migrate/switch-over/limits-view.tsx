/** Limits of V3 beside what runs have needed. */
import type { JSX } from 'preact';
import type { Switching } from '../../../../lib/extension/panel/migrate/switch-over/switching.ts';
import { Badge } from '../../../ui/index.ts';
import { Select } from '../../../ui/field.tsx';

type Limits = NonNullable<Switching['plan']['value']>['limits'];

const LEVELS = { over: 'too much', near: 'near', fine: 'fine', unknown: 'unknown' };

export function LimitsView({ switching, limits }: { switching: Switching; limits: Limits }): JSX.Element {
  return (
    <section class="part" aria-label="Limits">
      <h3>Limits of V3</h3>
      <Select
        name="v3-profile"
        label="Target profile"
        value={switching.profile.value}
        options={[
          { value: 'plain', label: 'plain: 120 s on a server, results as returned' },
          { value: 'envelope', label: 'envelope: 60 s on a server, results as {success, data}' },
        ]}
        onChange={(profile) => (switching.profile.value = profile === 'envelope' ? 'envelope' : 'plain')}
      />
      <ul class="switch-limits">
        {limits.map(({ limit, level, text }) => (
          <li key={limit} data-limit={limit} data-level={level}>
            <Badge>{LEVELS[level]}</Badge> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
