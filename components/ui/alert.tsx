/** Shows errors and notices: what happened, why, and what to do next. */
import type { ComponentChildren, JSX } from 'preact';
import type { ErrorValue } from '../../lib/platform-api/errors.ts';
import { errorUrl } from '../../lib/shared/docs.ts';
import { Button } from './button.tsx';
import './controls.css';

/** A page’s error can have a code of another form. */
const OWN_CODE = /^[A-Z][A-Z\d]*(_[A-Z\d]+)+$|^[A-Z]{5,}$/;

export interface AlertProps {
  error: ErrorValue;
  /** Shown instead of the message, such as with a link in it. */
  title?: ComponentChildren;
  /** Buttons shown after the hint. */
  actions?: ComponentChildren;
  onDismiss?: () => void;
}

export function Alert({ error, title, actions, onDismiss }: AlertProps): JSX.Element {
  return (
    <div class="alert" role="alert" data-code={error.code}>
      <div class="text">
        <strong class="untrusted">{title ?? error.message}</strong>
        {error.hint ? <div class="untrusted">{error.hint}</div> : null}
        {error.details?.length ? (
          <ul>
            {error.details.slice(0, 20).map((detail) => (
              <li key={detail.path} class="untrusted">
                <code>{detail.path}</code> {detail.message}
              </li>
            ))}
          </ul>
        ) : null}
        <div class="code">
          <ErrorCode code={error.code} status={error.status} />
        </div>
      </div>
      {actions}
      {onDismiss ? (
        <Button kind="quiet" label="Dismiss" onClick={onDismiss}>
          ✕
        </Button>
      ) : null}
    </div>
  );
}

/** An error’s code, which links to its entry in the error reference. */
export function ErrorCode({ code, status }: { code: string; status?: number | undefined }): JSX.Element {
  const text = <code class="untrusted">{code}</code>;
  return (
    <>
      {OWN_CODE.test(code) ? (
        <a href={errorUrl(code)} target="_blank" title="Show in the error reference">
          {text}
        </a>
      ) : (
        text
      )}
      {status ? ` · HTTP ${status}` : ''}
    </>
  );
}

export interface NoticeProps {
  children: ComponentChildren;
  actions?: ComponentChildren;
  code?: string;
  isSuccess?: boolean;
}

/** Information that isn't an error. A polite live region announces it. */
export function Notice({ children, actions, code, isSuccess = false }: NoticeProps): JSX.Element {
  return (
    <div class={`alert notice ${isSuccess ? 'success' : ''}`} role="status" data-code={code}>
      <div class="text">{children}</div>
      {actions}
    </div>
  );
}
