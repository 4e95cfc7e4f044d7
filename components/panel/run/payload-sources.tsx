/** Fills in the payload from a template or a saved payload, and lets the user save the payload under a name. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { payloadTemplates } from '../../../lib/extension/panel/run/payload/templates.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatCount } from '../../../lib/shared/format.ts';
import { Button } from '../../ui/index.ts';

export function PayloadSources({ panel }: { panel: Panel }): JSX.Element {
  const { payloads } = panel;
  const [isNaming, setNaming] = useState(false);
  const current = payloads.saved.value.find(({ text }) => text === payloads.text.value);
  if (isNaming) return <NameForm panel={panel} onClose={() => setNaming(false)} />;
  return (
    <span class="sources">
      <SourceSelect panel={panel} current={current?.name ?? null} />
      {current ? (
        <Button
          kind="quiet"
          title={`Remove the saved payload “${current.name}”`}
          onClick={() => void payloads.remove(current.name)}
        >
          Remove
        </Button>
      ) : (
        <Button
          kind="quiet"
          title="Save this payload for the action"
          unavailable={payloads.canSave.value ? null : 'Open a debug page'}
          onClick={() => setNaming(true)}
        >
          Save…
        </Button>
      )}
    </span>
  );
}

function SourceSelect({ panel, current }: { panel: Panel; current: string | null }): JSX.Element {
  const { payloads } = panel;
  const subject = panel.templateSubject.value;
  const templates = useMemo(() => payloadTemplates(subject, new Date()), [subject]);
  const saved = payloads.saved.value;
  const fill = (value: string): void => {
    const [kind, id] = value.split(/:(.*)/s);
    const source = kind === 'saved' ? saved.find(({ name }) => name === id) : templates.find((one) => one.id === id);
    if (source) payloads.setText(source.text);
  };
  return (
    <label class="source">
      <span class="muted">Use</span>
      <select
        class="input"
        name="payload-source"
        aria-label="Use a saved payload or a payload template"
        value=""
        onChange={(event) => {
          const { value } = event.currentTarget;
          event.currentTarget.value = '';
          fill(value);
        }}
      >
        <option value="">
          {current ?? (saved.length > 0 ? `${formatCount(saved.length)} saved, templates` : 'Template…')}
        </option>
        {saved.length > 0 ? (
          <optgroup label="Saved payloads of this action">
            {saved.map(({ name }) => (
              <option key={name} value={`saved:${name}`}>
                {name}
              </option>
            ))}
          </optgroup>
        ) : null}
        <optgroup label="Payload templates">
          {templates.map(({ id, label, fits }) => (
            <option key={id} value={`template:${id}`}>
              {fits ? `${label} ✓` : label}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

function NameForm({ panel, onClose }: { panel: Panel; onClose: () => void }): JSX.Element {
  const [name, setName] = useState('');
  return (
    <form
      class="name-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) void panel.payloads.save(name);
        onClose();
      }}
    >
      <input
        class="input"
        aria-label="Payload name"
        placeholder="Name"
        maxLength={80}
        value={name}
        ref={(element) => element?.focus()}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <Button kind="quiet" type="submit" unavailable={name.trim() ? null : 'Enter a name'}>
        Save
      </Button>
    </form>
  );
}
