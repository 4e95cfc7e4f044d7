/** The draft before it’s created: its name, and all properties that will be written. */
import type { JSX } from 'preact';
import type { Switching } from '../../../../lib/extension/panel/migrate/switch-over/switching.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Field } from '../../../ui/field.tsx';

export function DraftForm({ switching }: { switching: Switching }): JSX.Element | null {
  const draft = switching.draft.value;
  if (!draft) return null;
  const properties: [string, string][] = [
    ['description', draft.description ?? 'none'],
    ['active', 'false'],
    ['environment', draft.environment],
    ['triggers', JSON.stringify(draft.triggers)],
    ['frequency', draft.frequency ?? 'none'],
    ['timezone', draft.timezone ?? 'none'],
    ['dependencies', draft.dependencies.join(', ') || 'none'],
    ['code', plural(draft.code.split('\n').length, 'line')],
  ];
  return (
    <div class="switch-draft">
      <Field
        name="v3-name"
        label="Name"
        value={switching.name.value}
        onInput={(name: string) => (switching.name.value = name)}
        hint="On some platforms, a V2 action and a V3 action of an app can’t share a name."
      />
      <dl class="facts" aria-label="Properties">
        {properties.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <code class="untrusted">{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
