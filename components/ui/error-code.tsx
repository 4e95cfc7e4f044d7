/** An error’s code, which links to its entry in the error reference. */
import type { JSX } from 'preact';
import { errorUrl } from '../../lib/shared/docs.ts';

/** A page’s error can have a code of another form. */
const OWN_CODE = /^[A-Z][A-Z\d]*(_[A-Z\d]+)+$|^[A-Z]{5,}$/;

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
