/** The fields of an environment’s form. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { docUrl } from '../../../lib/shared/docs.ts';
import { Checkbox, Field, Select } from '../../ui/field.tsx';
import { Button } from '../../ui/index.ts';
import type { Draft, Problems } from '../../../lib/extension/options/draft.ts';
import { tokenLeftBehind, withPreset } from '../../../lib/extension/options/draft.ts';
import { type Environment, type Preset, PRESET_NAMES } from '../../../lib/extension/messaging/model/environment.ts';

const PRESETS = (Object.keys(PRESET_NAMES) as Preset[]).map((value) => ({ value, label: PRESET_NAMES[value] }));

const LOCAL_URL_HINT = (
  <>
    The URL that <code>npx platform-devtools platform</code> prints.
  </>
);

const LOCAL_TOKEN_HINT = (
  <>
    The terminal shows it after <code>Auth-token:</code> when you start <code>npx platform-devtools platform</code>.
  </>
);
const TOKEN_HINT = (
  <>
    The value that integrations send to this region as <code>Auth-token</code>. Stored encrypted, and sent only to the
    base URL.{' '}
    <a href={docUrl('start', 'where-a-token-comes-from')} target="_blank">
      Where a token comes from
    </a>
  </>
);

interface FieldsProps {
  draft: Draft;
  stored: Environment | undefined;
  problems: Problems;
  set: (change: Partial<Draft>) => void;
  /** Shown after the base URL. */
  children?: ComponentChildren;
}

export function Fields(props: FieldsProps): JSX.Element {
  const { draft, problems, set, children } = props;
  return (
    <>
      <div class="pair">
        <Select
          name="preset"
          label="Preset"
          value={draft.preset}
          options={PRESETS}
          onChange={(preset) => set(withPreset(draft, preset as Preset))}
        />
        <Field
          name="name"
          label="Name"
          value={draft.name}
          problem={problems.name ?? null}
          required
          onInput={(name) => set({ name })}
        />
      </div>
      <Field
        name="baseUrl"
        label="Base URL"
        type="url"
        value={draft.baseUrl}
        placeholder="https://api.example.com"
        hint={draft.preset === 'local' ? LOCAL_URL_HINT : 'The part of the URL before /v1.'}
        problem={problems.baseUrl ?? null}
        required
        onInput={(baseUrl) => set({ baseUrl })}
      />
      {children}
      <TokenField {...props} />
      <PageFields {...props} />
    </>
  );
}

/** What the panel needs to know about the platform’s pages. */
function PageFields({ draft, problems, set }: FieldsProps): JSX.Element {
  return (
    <>
      <Field
        name="pageUrls"
        label="Page URLs"
        value={draft.pageUrls}
        placeholder="https://apps.example.com"
        hint="Only if apps’ pages aren’t below the base URL. The panel then also uses pages at these URLs. Separate them with spaces."
        problem={problems.pageUrls ?? null}
        onInput={(pageUrls) => set({ pageUrls })}
      />
      <div class="pair">
        <Field
          name="namespace"
          label="Namespace"
          value={draft.namespace}
          hint="The platform’s global object in a page."
          problem={problems.namespace ?? null}
          onInput={(namespace) => set({ namespace })}
        />
        <div class="mark-production">
          <Checkbox
            name="production"
            label="Production"
            checked={draft.production}
            onChange={(production) => set({ production })}
          />
          <span class="hint">Asks before you change or run anything there, and shows a warning.</span>
        </div>
      </div>
    </>
  );
}

function TokenField({ draft, stored, problems, set }: FieldsProps): JSX.Element {
  const isLocked = stored?.problem?.code === 'VAULT_LOCKED';
  const [isReplacing, setReplacing] = useState(stored?.maskedToken == null && !isLocked);
  const previousUrl = tokenLeftBehind(draft, stored);
  if (!isReplacing && previousUrl === null)
    return (
      <div class="field">
        <span class="label">Auth token</span>
        <span class="stored-token">
          {isLocked ? <span class="missing">locked</span> : <code>{stored?.maskedToken}</code>}
          <Button kind="quiet" onClick={() => setReplacing(true)}>
            Replace
          </Button>
        </span>
      </div>
    );
  return (
    <Field
      name="token"
      label="Auth token"
      type="password"
      autocomplete="new-password"
      value={draft.token}
      hint={
        previousUrl
          ? `The stored token belongs to ${previousUrl}. Enter the token for this base URL.`
          : draft.preset === 'local'
            ? LOCAL_TOKEN_HINT
            : TOKEN_HINT
      }
      problem={problems.token ?? null}
      onInput={(token) => set({ token })}
    />
  );
}
