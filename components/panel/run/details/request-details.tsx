/** The selected request: its URL, status, and times, and its headers and bodies as far as they were recorded. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { bodyText, cutText, requestFacts } from '../../../../lib/extension/panel/run/describe-request.ts';
import type { RequestLine } from '../../../../lib/extension/panel/run/trace.ts';
import type { RecordedBody, RecordedHeaders } from '../../../../lib/extension/inspector/contract.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../../ui/index.ts';
import './request-details.css';

export interface RequestDetailsProps {
  request: RequestLine;
  elapsed: number | null;
  copy: Panel['copy'];
  onClose: () => void;
}

export function RequestDetails({ request, elapsed, copy, onClose }: RequestDetailsProps): JSX.Element {
  return (
    <section class="request-details" aria-label="Request details">
      <div class="scroll" tabIndex={0} role="group" aria-label="Headers and bodies">
        <Pairs label="Request" pairs={requestFacts(request, elapsed)} />
        <Headers label="Request headers" headers={request.headers} />
        <Body label="Request body" body={request.body} copy={copy} />
        <Headers label="Response headers" headers={request.responseHeaders} />
        <Body label="Response body" body={request.responseBody} copy={copy} />
      </div>
      <Button kind="quiet" label="Close request details" title="Close" onClick={onClose}>
        ✕
      </Button>
    </section>
  );
}

function Pairs({ label, pairs }: { label: string; pairs: readonly (readonly [string, string])[] }): JSX.Element {
  return (
    <dl aria-label={label}>
      {pairs.map(([name, value], index) => (
        <div key={index}>
          <dt class="untrusted">{name}</dt>
          <dd class="mono untrusted">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Headers({ label, headers }: { label: string; headers: RecordedHeaders | undefined }): JSX.Element | null {
  if (!headers) return null;
  return (
    <>
      <h3>{label}</h3>
      {headers.length > 0 ? <Pairs label={label} pairs={headers} /> : <p class="muted">None that scripts can read</p>}
    </>
  );
}

interface BodyProps {
  label: string;
  body: RecordedBody | undefined;
  copy: Panel['copy'];
}

function Body({ label, body, copy }: BodyProps): JSX.Element | null {
  const text = useMemo(() => (body ? bodyText(body) : ''), [body]);
  if (!body) return null;
  const cut = cutText(body);
  return (
    <>
      <h3>
        {label}
        {text ? (
          <Button kind="quiet" label={`Copy ${label.toLowerCase()}`} onClick={() => void copy(text)}>
            Copy
          </Button>
        ) : null}
      </h3>
      {text ? <pre class="mono untrusted">{text}</pre> : null}
      {cut ? <p class="muted">{cut}</p> : text ? null : <p class="muted">Empty</p>}
    </>
  );
}
