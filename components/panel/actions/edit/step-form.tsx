/** The form for a step, or for a branch of an `if`. */
import type { JSX } from 'preact';
import type { FunctionDescriptor } from '../../../../lib/platform-api/action.ts';
import { addBranch, type Changed } from '../../../../lib/extension/panel/actions/edit/steps.ts';
import { type Fields, isFields, fieldText } from '../../../../lib/extension/panel/actions/edit/draft-value.ts';
import { listedSettings } from '../../../../lib/extension/panel/actions/edit/settings-list.ts';
import { settingsOf, type SettingWarning } from '../../../../lib/extension/panel/actions/edit/settings-problems.ts';
import type { PipelineNode } from '../../../../lib/extension/panel/run/pipeline-tree.ts';
import { Field, Select } from '../../../ui/field.tsx';
import { Button, Combobox } from '../../../ui/index.ts';
import { parseNumber, type PartProps, type TryCondition } from './part.ts';
import { JsonField } from './json-field.tsx';
import { FormTarget, problemAt } from './form-target.tsx';
import { SettingsList } from './settings-list.tsx';

export interface StepFormProps extends Omit<PartProps, 'value'> {
  path: string;
  kind: PipelineNode['kind'];
  step: unknown;
  draft: unknown;
  packages: readonly FunctionDescriptor[];
  warnings: readonly SettingWarning[];
  apply: (changed: Changed) => void;
  /** What a condition is in a recorded run. */
  tryCondition: TryCondition;
}

/** Fields with form controls. */
const SHOWN = new Set([
  'type',
  'functionPackage',
  'function',
  'settings',
  'functions',
  'items',
  'range',
  'conditions',
  'elseFunctions',
  'condition',
]);

export function StepForm(props: StepFormProps): JSX.Element {
  const { path, kind, step, problems } = props;
  const own = problems
    .filter((one) => one.path === path)
    .map(({ message }) => message)
    .join(' ');
  const others = isFields(step) ? Object.keys(step).filter((key) => !SHOWN.has(key)) : [];
  return (
    <FormTarget path={path} problems={problems.filter((one) => one.path === path)} class="edit-step">
      <div data-step-form={path} role="group" aria-label={`Step ${path}`}>
        {own && kind !== 'function' ? (
          <p class="problem" role="status">
            {own}
          </p>
        ) : null}
        <Kind {...props} own={own || null} />
        {others.length > 0 ? (
          <p class="remark">
            Other fields are preserved: <code class="untrusted">{others.join(', ')}</code>
          </p>
        ) : null}
      </div>
    </FormTarget>
  );
}

function Kind(props: StepFormProps & { own: string | null }): JSX.Element {
  const fields = isFields(props.step) ? props.step : {};
  switch (props.kind) {
    case 'function':
      return <FunctionForm {...props} step={fields} />;
    case 'loop':
      return <LoopForm {...props} step={fields} />;
    case 'if':
      return (
        <div class="edit-tools">
          <Button onClick={() => props.apply(addBranch(props.draft, props.path, 'condition'))}>Add condition</Button>
          <Button
            unavailable={Array.isArray(fields['elseFunctions']) ? 'Remove the current else branch first' : null}
            onClick={() => props.apply(addBranch(props.draft, props.path, 'else'))}
          >
            Add else
          </Button>
        </div>
      );
    case 'branch':
      if (props.path.endsWith('/elseFunctions'))
        return <p class="remark">These steps run when no condition matches.</p>;
      return (
        <FormTarget path={`${props.path}/condition`} problems={props.problems}>
          <Field
            name="step-condition"
            label="Condition"
            hint="Expression over the context, such as currentItem.data.Admin == true"
            value={fieldText(fields['condition'])}
            problem={problemAt(props.problems, `${props.path}/condition`)}
            onInput={(text) => props.set(`${props.path}/condition`, text)}
          />
          {props.tryCondition(props.path)}
        </FormTarget>
      );
    case 'unknown':
      return <p class="remark">The form doesn’t support this step. Edit it as JSON.</p>;
  }
}

type FunctionProps = StepFormProps & { step: Fields; own: string | null };

function FunctionForm(props: FunctionProps): JSX.Element {
  const { path, step, packages, problems, set, own } = props;
  const key =
    typeof step['functionPackage'] === 'string' || step['function'] === undefined ? 'functionPackage' : 'function';
  const name = fieldText(step[key]);
  const known = packages.find((one) => one.package === name);
  const problem = own ?? problemAt(problems, `${path}/${key}`);
  return (
    <>
      <FormTarget path={`${path}/${key}`} problems={problems}>
        <Combobox
          name="step-package"
          label="Function"
          labelShown
          free
          placeholder="Search functions"
          empty="No functions listed. Enter a package name."
          options={packages.map((one) => ({
            value: one.package,
            label: one.package,
            hint: `${one.name}: ${one.description}`,
          }))}
          value={name}
          problem={problem}
          onPick={(next) => set(`${path}/${key}`, next)}
        />
        {known ? (
          <span class="hint muted untrusted">
            {known.name}: {known.description}
          </span>
        ) : null}
      </FormTarget>
      <SettingsForm {...props} name={name} />
    </>
  );
}

function SettingsForm({
  path,
  step,
  packages,
  problems,
  warnings,
  set,
  onSave,
  name,
}: FunctionProps & { name: string }): JSX.Element {
  const accepted = settingsOf(name, packages);
  // The list below marks missing settings.
  const wrong = warnings.filter(({ isMissing }) => !isMissing);
  return (
    <FormTarget path={`${path}/settings`} problems={problems}>
      <JsonField
        name="step-settings"
        label="Settings"
        value={step['settings']}
        problem={problemAt(problems, `${path}/settings`)}
        warning={problemAt(wrong, `${path}/settings`)}
        properties={accepted ? listedSettings(accepted, step['settings']) : []}
        onValue={(settings) => set(`${path}/settings`, settings)}
        onSave={onSave}
      />
      {accepted ? (
        <SettingsList
          known={accepted}
          settings={step['settings']}
          onSettings={(settings) => set(`${path}/settings`, settings)}
        />
      ) : null}
    </FormTarget>
  );
}

function LoopForm({ path, step, problems, set }: StepFormProps & { step: Fields }): JSX.Element {
  const { items, range } = step;
  const isRange = range !== undefined && range !== null;
  const bounds = isFields(range) ? range : {};
  const selectSource = (over: string): void => {
    // The platform rejects a loop that has both `items` and `range`, or neither.
    const rest = Object.fromEntries(Object.entries(step).filter(([key]) => key !== 'items' && key !== 'range'));
    set(path, over === 'range' ? { ...rest, range: { from: 1, to: 10 } } : { ...rest, items: '' });
  };
  return (
    <div class="edit-row">
      <FormTarget path={`${path}/type`} problems={problems}>
        <Select
          name="step-over"
          label="Over"
          value={isRange ? 'range' : 'items'}
          options={[
            { value: 'items', label: 'array' },
            { value: 'range', label: 'range of numbers' },
          ]}
          onChange={selectSource}
        />
      </FormTarget>
      {isRange ? (
        ['from', 'to'].map((end) => (
          <FormTarget key={end} path={`${path}/range/${end}`} problems={problems}>
            <Field
              name={`step-${end}`}
              label={end === 'from' ? 'From' : 'To (inclusive)'}
              value={fieldText(bounds[end])}
              problem={problemAt(problems, `${path}/range/${end}`)}
              onInput={(text) => set(`${path}/range/${end}`, parseNumber(text))}
            />
          </FormTarget>
        ))
      ) : (
        <FormTarget path={`${path}/items`} problems={problems}>
          <Field
            name="step-items"
            label="Array"
            placeholder="records"
            hint="Context property or path, such as data.records"
            value={fieldText(items)}
            problem={problemAt(problems, `${path}/items`)}
            onInput={(text) => set(`${path}/items`, text)}
          />
        </FormTarget>
      )}
    </div>
  );
}
