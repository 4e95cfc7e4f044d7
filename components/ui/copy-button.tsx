/** A button that copies text to the clipboard. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** Resolves to false if the browser refused. */
export type CopyText = (text: string) => Promise<boolean>;

export interface CopyButtonProps {
  /** Completes “Copy …” in the button’s name. */
  what: string;
  text: string;
  copyText: CopyText;
  /** By default, “Copy”. */
  children?: ComponentChildren;
  title?: string;
  unavailable?: string | null;
}

export function CopyButton({ what, text, copyText, children, title, unavailable }: CopyButtonProps): JSX.Element {
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
        title={title ?? `Copy ${what}`}
        unavailable={unavailable}
        onClick={() => void copyText(text).then((isDone) => setStatus(isDone ? 'Copied' : 'Couldn’t copy'))}
      >
        {children ?? 'Copy'}
      </Button>
      <span class="muted" role="status">
        {status}
      </span>
    </>
  );
}
