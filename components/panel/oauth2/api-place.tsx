/** Owns calling the API of the chosen service: method, path, data, and the answer. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration } from '../../../lib/shared/format.ts';
import { dataProblem, methodsOf } from '../../../lib/extension/panel/oauth2/api-call.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import { Badge, Button, EmptyState } from '../../ui/index.ts';
import { ValueTree } from '../../ui/value-tree.tsx';

/** What was written stays for as long as the panel is open. */
let written = { method: 'get', path: '', data: '' };

export function ApiPlace({ panel, store }: { panel: Panel; store: OAuth2Store }): JSX.Element {
  const service = store.service.value;
  const [form, setForm] = useState(written);
  const set = (change: Partial<typeof written>): void => {
    written = { ...form, ...change };
    setForm(written);
  };
  if (!service)
    return (
      <EmptyState title="No service">
        <p>A service that is configured in the page can be called here.</p>
      </EmptyState>
    );
  const working = store.working.value.find((one) => one.action === 'api' && one.service === service.name) ?? null;
  const base = service.options?.find(({ name }) => name === 'baseUrl')?.value;
  const page = store.page.value;
  const methods = methodsOf(page);
  // What was chosen on another page may be none of this one's.
  const method = methods.includes(form.method) ? form.method : 'get';
  const problem = dataProblem(page, method, form.data);
  const unavailable = working
    ? 'Wait for its end, or stop waiting.'
    : form.path.trim() === ''
      ? 'Write a path.'
      : problem;
  const call = (): void => {
    if (unavailable === null)
      void store.act({
        action: 'api',
        service: service.name,
        method,
        path: form.path.trim(),
        data: form.data.trim() === '' ? null : form.data,
      });
  };
  return (
    <div class="api-place">
      <form
        class="api-form"
        aria-label="Call of the API"
        onSubmit={(event) => {
          event.preventDefault();
          call();
        }}
      >
        <select
          class="input"
          name="api-method"
          aria-label="Method"
          value={method}
          onChange={(event) => set({ method: event.currentTarget.value })}
        >
          {methods.map((each) => (
            <option key={each} value={each}>
              {each.toUpperCase()}
            </option>
          ))}
        </select>
        <input
          class="input mono"
          name="api-path"
          aria-label="Path"
          placeholder={
            typeof base === 'string'
              ? 'path below baseUrl, or a full address'
              : 'a full address: the service has no baseUrl'
          }
          title={typeof base === 'string' ? base : undefined}
          spellcheck={false}
          autocomplete="off"
          value={form.path}
          onInput={(event) => set({ path: event.currentTarget.value })}
        />
        {working ? (
          <Button onClick={() => void store.cancel(working.id)}>Stop waiting</Button>
        ) : (
          <Button type="submit" kind="primary" unavailable={unavailable}>
            Call
          </Button>
        )}
        <textarea
          class="input mono"
          name="api-data"
          aria-label="Data, as JSON"
          placeholder={
            method === 'get' || method === 'head' ? 'data as JSON: becomes the query' : 'data as JSON: becomes the body'
          }
          rows={2}
          spellcheck={false}
          aria-invalid={problem ? 'true' : undefined}
          value={form.data}
          onInput={(event) => set({ data: event.currentTarget.value })}
        />
        {problem ? <span class="problem">{problem}</span> : null}
      </form>
      <Answer panel={panel} store={store} service={service.name} isUnderWay={working !== null} />
    </div>
  );
}

function Answer({
  panel,
  store,
  service,
  isUnderWay,
}: {
  panel: Panel;
  store: OAuth2Store;
  service: string;
  isUnderWay: boolean;
}): JSX.Element {
  const shown = store.answer.value;
  if (isUnderWay)
    return (
      <p class="remark" role="status">
        Under way…
      </p>
    );
  if (!shown || shown.service !== service)
    return (
      <p class="remark">
        The call is made by the page itself, with its session; its answer shows here, without any token in it.
      </p>
    );
  const { answer } = shown;
  return (
    <div class="api-answer" data-answer={answer.ok ? 'ok' : (answer.code ?? 'failed')}>
      <p class="remark" role="status">
        <Badge tone={answer.ok ? 'success' : 'danger'}>
          {answer.status === null ? (answer.ok ? 'answered' : 'failed') : `HTTP ${answer.status}`}
        </Badge>{' '}
        {formatDuration(answer.milliseconds)}
        {answer.message ? (
          <>
            {' '}
            · <span class="untrusted">{answer.message}</span>
          </>
        ) : null}
        {answer.code ? (
          <>
            {' '}
            · <code class="untrusted">{answer.code}</code>
          </>
        ) : null}
      </p>
      {answer.body ? (
        <div class="fill scroll">
          <ValueTree label="Answer" value={answer.body} expand={notKept} copy={panel.copy} />
        </div>
      ) : null}
    </div>
  );
}

/** What was cut of an answer stays in the page. */
const notKept = () =>
  Promise.resolve({
    ok: false as const,
    error: {
      code: 'VALUE_CUT',
      message: 'No more of the answer was taken out of the page.',
      hint: 'Ask for less, such as by a query.',
    },
  });
