/** Owns a button that puts a text on the clipboard and says so. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../ui/index.ts';

/** False when the browser did not let us. */
export type CopyText = (text: string) => Promise<boolean>;

export function CopyButton({ what, text, copyText }: { what: string; text: string; copyText: CopyText }): JSX.Element {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <>
      <Button
        kind="quiet"
        label={`Copy ${what}`}
        title={`Copy ${what}`}
        onClick={() => void copyText(text).then((isDone) => setSaid(isDone ? 'Copied' : 'Not allowed by the browser'))}
      >
        Copy
      </Button>
      <span class="muted" role="status">
        {said}
      </span>
    </>
  );
}
