/** A button that copies text to the clipboard. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../ui/index.ts';

/** Resolves to false if the browser refused. */
export type CopyText = (text: string) => Promise<boolean>;

export function CopyButton({ what, text, copyText }: { what: string; text: string; copyText: CopyText }): JSX.Element {
  const [status, setStatus] = useState('');
  useEffect(() => {
    if (status === '') return;
    const timer = setTimeout(() => setStatus(''), 2_000);
    return () => clearTimeout(timer);
  }, [status]);
  return (
    <>
      <Button
        kind="quiet"
        label={`Copy ${what}`}
        title={`Copy ${what}`}
        onClick={() => void copyText(text).then((isDone) => setStatus(isDone ? 'Copied' : 'Couldn’t copy'))}
      >
        Copy
      </Button>
      <span class="muted" role="status">
        {status}
      </span>
    </>
  );
}
