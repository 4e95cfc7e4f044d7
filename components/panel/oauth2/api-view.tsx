/** Calls the selected service's API: method, path, data, and the response. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, plural } from '../../../lib/shared/format.ts';
import { dataProblem, methodsOf } from '../../../lib/extension/panel/oauth2/api-call.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { ApiResponse } from '../../../lib/extension/inspector/oauth2/index.ts';
import type { PageService } from '../../../lib/extension/panel/oauth2/types.ts';
import { type CurlCall, curlOf } from '../../../lib/extension/panel/oauth2/curl.ts';
import { Badge, Button, EmptyState } from '../../ui/index.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ValueTree } from '../shared/value-tree.tsx';
import { Loading } from '../shared/loading.tsx';

interface Draft {
  method: string;
  path: string;
  data: string;
}

/** Stored outside the view, which unmounts with its tab. */
let lastDraft: Draft = { method: 'get', path: '', data: '' };

export function ApiView({ panel, store }: { panel: Panel; store: OAuth2Store }): JSX.Element {
  const service = store.service.value;
  if (!service)
    return (
      <EmptyState title="No service">
        <p>Configure a service in the page to call its API here.</p>
      </EmptyState>
    );
  const { running } = store.actions;
  const call = running.value.find((each) => each.action === 'api' && each.service === service.name) ?? null;
  return (
    <div class="api-view">
      <ApiForm panel={panel} store={store} service={service} callId={call?.id ?? null} />
      <Response panel={panel} store={store} service={service.name} isPending={call !== null} />
    </div>
  );
}

interface ApiFormProps {
  panel: Panel;
  store: OAuth2Store;
  service: PageService;
  /** ID of the pending call. */
  callId: number | null;
}

function ApiForm({ panel, store, service, callId }: ApiFormProps): JSX.Element {
  const [draft, setDraft] = useState(lastDraft);
  const update = (change: Partial<Draft>): void => {
    lastDraft = { ...draft, ...change };
    setDraft(lastDraft);
  };
  const page = store.page.value;
  const methods = methodsOf(page);
  // A previous page's library might have offered more methods.
  const method = methods.includes(draft.method) ? draft.method : 'get';
  const problem = dataProblem(page, method, draft.data);
  const path = draft.path.trim();
  const unavailable = path === '' ? 'Enter a path' : problem;
  const data = draft.data.trim() === '' ? null : draft.data;
  const call = (event: Event): void => {
    event.preventDefault();
    if (callId !== null || unavailable !== null) return;
    void store.actions.start({ action: 'api', service: service.name, method, path, data });
  };
  return (
    <form class="api-form" aria-label="API call" onSubmit={call}>
      <MethodSelect methods={methods} value={method} onChange={(value) => update({ method: value })} />
      <PathInput service={service} value={draft.path} onChange={(value) => update({ path: value })} />
      {callId === null ? (
        <Button type="submit" kind="primary" unavailable={unavailable}>
          Call
        </Button>
      ) : (
        <Button onClick={() => void store.actions.cancel(callId)}>Cancel</Button>
      )}
      <CopyAsCurl panel={panel} service={service} call={{ method, path, data }} unavailable={unavailable} />
      <textarea
        class="input mono"
        name="api-data"
        aria-label="Data (JSON)"
        placeholder={method === 'get' || method === 'head' ? 'Query as JSON' : 'Body as JSON'}
        rows={2}
        spellcheck={false}
        aria-invalid={problem ? 'true' : undefined}
        value={draft.data}
        onInput={(event) => update({ data: event.currentTarget.value })}
      />
      {problem ? <span class="problem">{problem}</span> : null}
    </form>
  );
}

interface CopyAsCurlProps {
  panel: Panel;
  service: PageService;
  call: CurlCall;
  unavailable: string | null;
}

function CopyAsCurl({ panel, service, call, unavailable }: CopyAsCurlProps): JSX.Element {
  const curl = unavailable === null ? curlOf(service, call) : null;
  return (
    <span>
      <CopyButton
        what="as cURL"
        text={curl ?? ''}
        title="Copy as cURL. The token stays in the page: set ACCESS_TOKEN in your shell"
        copyText={panel.copy}
        unavailable={unavailable ?? (curl === null ? 'Enter a full URL, or configure baseUrl' : null)}
      >
        Copy as cURL
      </CopyButton>
    </span>
  );
}

interface PathInputProps {
  service: PageService;
  value: string;
  onChange: (path: string) => void;
}

function PathInput({ service, value, onChange }: PathInputProps): JSX.Element {
  const baseUrl = service.options?.find(({ name }) => name === 'baseUrl')?.value;
  return (
    <input
      class="input mono"
      name="api-path"
      aria-label="Path"
      placeholder={typeof baseUrl === 'string' ? 'Path relative to baseUrl, or full URL' : 'Full URL'}
      title={typeof baseUrl === 'string' ? baseUrl : undefined}
      spellcheck={false}
      autocomplete="off"
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface MethodSelectProps {
  methods: readonly string[];
  value: string;
  onChange: (method: string) => void;
}

function MethodSelect({ methods, value, onChange }: MethodSelectProps): JSX.Element {
  return (
    <select
      class="input"
      name="api-method"
      aria-label="Method"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {methods.map((method) => (
        <option key={method} value={method}>
          {method.toUpperCase()}
        </option>
      ))}
    </select>
  );
}

interface ResponseProps {
  panel: Panel;
  store: OAuth2Store;
  service: string;
  isPending: boolean;
}

function Response({ panel, store, service, isPending }: ResponseProps): JSX.Element {
  const last = store.actions.apiResponse.value;
  if (isPending) return <Loading>Calling…</Loading>;
  if (!last || last.service !== service)
    return (
      <p class="remark">
        The page makes the call with its session. The response appears here, with recognized tokens masked.
      </p>
    );
  const { ok, code, body } = last.response;
  const end = store.apiEnd.value;
  const status = last.response.status ?? end?.status ?? null;
  return (
    <div class="api-response" data-response={ok ? 'ok' : (code ?? 'failed')}>
      <ResponseStatus response={last.response} status={status} />
      <Headers lines={end?.headers ?? null} hasResponse={status !== null} />
      {body ? (
        <div class="fill scroll">
          <ValueTree label="Response" value={body} expand={refuseToExpand} copy={panel.copy} />
        </div>
      ) : null}
    </div>
  );
}

function ResponseStatus({ response, status }: { response: ApiResponse; status: number | null }): JSX.Element {
  const { ok, code, message, milliseconds } = response;
  return (
    <p class="remark" role="status">
      <Badge tone={ok ? 'success' : 'danger'}>
        {status === null ? (ok ? 'completed' : 'failed') : `HTTP ${status}`}
      </Badge>{' '}
      {formatDuration(milliseconds)}
      {message ? (
        <>
          {' '}
          · <span class="untrusted">{message}</span>
        </>
      ) : null}
      {code ? (
        <>
          {' '}
          · <code class="untrusted">{code}</code>
        </>
      ) : null}
    </p>
  );
}

function Headers({ lines, hasResponse }: { lines: string[] | null; hasResponse: boolean }): JSX.Element | null {
  if (lines === null)
    return hasResponse ? <p class="remark">This library doesn’t report the response’s headers.</p> : null;
  return (
    <details class="api-headers">
      <summary title="The headers that the service lets this page read (CORS)">
        {plural(lines.length, 'response header')}
      </summary>
      <pre class="untrusted" tabIndex={0} aria-label="Response headers">
        {lines.join('\n')}
      </pre>
    </details>
  );
}

/** The page discards the rest of a truncated response. */
const refuseToExpand = () =>
  Promise.resolve({
    ok: false as const,
    error: {
      code: 'VALUE_CUT',
      message: 'Couldn’t show more of the response: it was truncated.',
      hint: 'Add a query that requests less data.',
    },
  });
