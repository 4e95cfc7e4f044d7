/** Owns the payload: its editor, its limit, where it can come from, and *Run*. */
import type { JSX } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { PAYLOAD_LIMIT } from '../../../lib/platform-api/limits.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { EDITOR_LIMIT } from '../../../lib/extension/panel/run/payload/payload.ts';
import { Button, Meter } from '../../ui/index.ts';
import { PayloadEditor } from '../shared/payload-editor.tsx';
import { MODIFIER, Shortcuts } from '../shell/shortcuts.tsx';
import { useLoaded } from '../shared/use-loaded.ts';

/** @param withRun false: *Run* stands elsewhere */
export function PayloadView({ panel, withRun = true }: { panel: Panel; withRun?: boolean }): JSX.Element {
  const { payloads } = panel;
  const text = payloads.text.value;
  const { length, problem } = payloads.check.value;
  const id = useId();
  return (
    <section class="section payload" aria-label="Payload">
      <header class="section-head">
        <h2>Payload</h2>
        <Sources panel={panel} />
        <span class="grow" />
        <Meter label="Payload length" value={length ?? text.trim().length} max={PAYLOAD_LIMIT} unit="characters" />
      </header>
      <PayloadEditor
        text={text}
        problem={payloads.check.value}
        onText={payloads.setText}
        onRun={() => void panel.run()}
        describedBy={`${id}-problem`}
      />
      <div class="payload-problem" id={`${id}-problem`} aria-live="polite">
        {problem ? (
          <p data-payload-error={problem.code}>
            <strong>{problem.message}</strong> {problem.hint}
            {text.length > EDITOR_LIMIT ? ' A text this long is not coloured.' : ''}
          </p>
        ) : null}
        {payloads.error.value ? (
          <p data-payload-error={payloads.error.value.code}>{payloads.error.value.message}</p>
        ) : null}
      </div>
      {withRun ? <RunBar panel={panel} /> : null}
    </section>
  );
}

export function RunBar({ panel }: { panel: Panel }): JSX.Element {
  const live = panel.runs.live.value;
  const reason = panel.cannotRun.value;
  return (
    <div class="run-bar">
      <Button
        kind="primary"
        unavailable={reason}
        title={`Run the action with this payload (${MODIFIER}⏎)`}
        onClick={() => void panel.run()}
      >
        Run
      </Button>
      <kbd class="muted" aria-hidden="true">
        {MODIFIER}⏎
      </kbd>
      <Button unavailable={live ? null : 'Nothing is running.'} onClick={() => void panel.runs.stop()}>
        Stop
      </Button>
      <span class="reason muted untrusted" title={reason ?? undefined}>
        {live ? 'Running…' : panel.payloads.check.value.problem ? 'Mend the payload to run.' : reason}
      </span>
      <Shortcuts />
    </div>
  );
}

/** Templates and saved payloads in one list, and saving under a name. */
function Sources({ panel }: { panel: Panel }): JSX.Element {
  const { payloads, catalog, page } = panel;
  const [naming, setNaming] = useState<string | null>(null);
  const env = page.state.value?.env;
  const action = catalog.actions.value.value?.find((one) => one.id === env?.taskId && one.appId === env.appId) ?? null;
  const make = useLoaded(
    () => import('../../../lib/extension/panel/run/payload/templates.ts').then((module) => module.payloadTemplates),
    page.state.value !== null,
  );
  const templates = useMemo(
    () =>
      make && make !== 'failed'
        ? make({ action, appId: env?.appId ?? null, organizationId: env?.organizationId ?? null }, new Date())
        : [],
    [make, action, env],
  );
  const saved = payloads.saved.value;
  const current = saved.find((one) => one.text === payloads.text.value);
  if (naming !== null) {
    const save = (): void => {
      if (naming.trim()) void payloads.save(naming);
      setNaming(null);
    };
    return (
      <form
        class="naming"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <input
          class="input"
          aria-label="Name of the payload"
          placeholder="Name"
          maxLength={80}
          value={naming}
          ref={(element) => element?.focus()}
          onInput={(event) => setNaming(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && setNaming(null)}
        />
        <Button kind="quiet" type="submit" unavailable={naming.trim() ? null : 'Give it a name.'}>
          Save
        </Button>
      </form>
    );
  }
  return (
    <span class="sources">
      <select
        class="input"
        name="payload-source"
        aria-label="Start from a template or a saved payload"
        value=""
        onChange={(event) => {
          const [kind, id] = event.currentTarget.value.split(/:(.*)/s);
          const chosen =
            kind === 'saved' ? saved.find((one) => one.name === id) : templates.find((one) => one.id === id);
          event.currentTarget.value = '';
          if (chosen) payloads.setText(chosen.text);
        }}
      >
        <option value="">{current ? current.name : saved.length > 0 ? `Saved: ${saved.length}` : 'Templates'}</option>
        {saved.length > 0 ? (
          <optgroup label="Saved for this action">
            {saved.map((one) => (
              <option key={one.name} value={`saved:${one.name}`}>
                {one.name}
              </option>
            ))}
          </optgroup>
        ) : null}
        <optgroup label="Templates">
          {templates.map((one) => (
            <option key={one.id} value={`template:${one.id}`}>
              {one.fits ? `${one.label} ✓` : one.label}
            </option>
          ))}
        </optgroup>
      </select>
      {current ? (
        <Button
          kind="quiet"
          title={`Remove the saved payload ${current.name}`}
          onClick={() => void payloads.remove(current.name)}
        >
          Remove
        </Button>
      ) : (
        <Button
          kind="quiet"
          title="Keep this payload under a name, for this action"
          unavailable={page.state.value ? null : 'No page yet.'}
          onClick={() => setNaming('')}
        >
          Save…
        </Button>
      )}
    </span>
  );
}
