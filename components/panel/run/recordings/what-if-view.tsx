/** Edits what a recorded run was made of, to replay it with the changes. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { WhatIf } from '../../../../lib/extension/panel/run/recordings/what-if/what-if.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { shortName } from '../../../../lib/extension/panel/shared/short-name.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Checkbox, Field, Select } from '../../../ui/field.tsx';
import { Button, Notice } from '../../../ui/index.ts';
import { JsonText } from '../mocks/json-text.tsx';
import './recordings.css';

export function WhatIfView({
  panel: {
    recordings: { whatIf },
  },
}: {
  panel: Panel;
}): JSX.Element {
  const root = useRef<HTMLElement>(null);
  // Focus the view so that Escape closes it right away.
  useEffect(() => {
    root.current?.focus();
    return () => queueMicrotask(() => document.querySelector<HTMLElement>('.run-menu-button')?.focus());
  }, []);
  return (
    <section
      ref={root}
      class="what-if"
      aria-label="What if"
      data-what-if=""
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || document.querySelector(':popover-open')) return;
        // Otherwise, DevTools would handle Escape, too, and open its drawer.
        event.stopPropagation();
        whatIf.close();
      }}
    >
      <Header whatIf={whatIf} />
      <div class="fill scroll">
        {whatIf.edited.value?.isPartial ? (
          <Notice code="WHAT_IF_PARTIAL">
            The recording lacks some of these values, such as masked secrets. Here, such values are null. In settings,
            null then counts as the recorded value.
          </Notice>
        ) : null}
        <div class="what-if-columns">
          <div class="what-if-side">
            <StepForm whatIf={whatIf} />
            <JsonText
              name="what-if-payload"
              label="Payload"
              text={whatIf.payloadText.value}
              problem={whatIf.payloadProblem.value ?? undefined}
              onText={(text) => (whatIf.payloadText.value = text)}
            />
            <Mocks whatIf={whatIf} />
          </div>
          <JsonText
            name="what-if-pipeline"
            label="Pipeline"
            text={whatIf.pipelineText.value}
            problem={whatIf.pipelineProblems.value.join(' ') || undefined}
            onText={whatIf.setPipeline}
          />
        </div>
      </div>
    </section>
  );
}

function Header({ whatIf }: { whatIf: WhatIf }): JSX.Element {
  const record = whatIf.edited.value?.run.record;
  const isReplaying = whatIf.replaying.value !== null;
  return (
    <header class="section-head">
      <Button kind="quiet" label="Back" title="Back (Esc)" onClick={whatIf.close}>
        ←
      </Button>
      <h2>What if</h2>
      <span class="what-if-run muted untrusted">
        {record?.number ? `run ${record.number} of ` : ''}
        {record?.title}
      </span>
      <span class="grow" />
      <Button
        kind="quiet"
        title="Restore everything as recorded"
        unavailable={whatIf.isChanged.value ? null : 'Change something first'}
        onClick={whatIf.reset}
      >
        Reset
      </Button>
      {isReplaying ? (
        <Button onClick={whatIf.cancel}>Cancel</Button>
      ) : (
        <Button
          kind="primary"
          title="Replay with the recorded outcomes. Nothing runs in a page or on a server"
          unavailable={whatIf.unavailable.value}
          onClick={() => void whatIf.replay()}
        >
          Replay with changes
        </Button>
      )}
    </header>
  );
}

function StepForm({ whatIf }: { whatIf: WhatIf }): JSX.Element | null {
  const { step, steps, fields } = whatIf;
  if (!step.value) return null;
  return (
    <div class="what-if-step" role="group" aria-label="Step">
      <Select
        name="what-if-step"
        label="Step"
        value={step.value.path}
        options={steps.value.map(({ path, depth, name, label, package: named }) => ({
          value: path,
          label: `${'\u2003'.repeat(depth)}${name ?? (named === null ? label : shortName(named))}`,
        }))}
        onChange={whatIf.chooseStep}
      />
      {fields.value.map(({ path, label, kind, text, problem }) =>
        kind === 'text' ? (
          <Field
            key={path}
            name="what-if-field"
            label={label}
            value={text}
            onInput={(value) => whatIf.setField(path, kind, value)}
          />
        ) : (
          <JsonText
            key={path}
            name="what-if-field"
            label={label}
            text={text}
            problem={problem ?? undefined}
            onText={(value) => whatIf.setField(path, kind, value)}
          />
        ),
      )}
    </div>
  );
}

function Mocks({ whatIf }: { whatIf: WhatIf }): JSX.Element {
  const { added, addedProblems, mocks } = whatIf;
  return (
    <div class="what-if-mocks" role="group" aria-label="Mocks">
      {mocks.length > 0 ? (
        <Checkbox
          name="what-if-mocks"
          label={`Use the mocks that are on (${mocks.length})`}
          checked={whatIf.usesMocks.value}
          onChange={(isOn) => (whatIf.usesMocks.value = isOn)}
        />
      ) : null}
      {added.value.map(({ path, package: name, text }, index) => (
        <div key={path} class="what-if-mock" data-what-if-mock={path}>
          <JsonText
            name="what-if-mock"
            label={`${shortName(name)} (${path}) returns`}
            text={text}
            problem={addedProblems.value[index] ?? undefined}
            onText={(value) => whatIf.setMock(path, value)}
          />
          <Button kind="quiet" label={`Remove the mock of ${path}`} onClick={() => whatIf.removeMock(path)}>
            Remove
          </Button>
        </div>
      ))}
      {added.value.length > 0 ? (
        <p class="hint">
          {plural(added.value.length, 'mock')} for this replay. Without a value, the step returns nothing.
        </p>
      ) : null}
    </div>
  );
}
