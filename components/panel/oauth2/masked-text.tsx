/** Owns how a secret stands in the panel: masked, and one that a person asks for in the clear for half a minute, never to be copied. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { plural } from '../../../lib/shared/format.ts';
import type { Masked, ServiceOption } from '../../../lib/extension/panel/oauth2/types.ts';
import { Button } from '../../ui/index.ts';

const SHOWN_FOR = 30_000;

export function MaskedText({ value }: { value: Masked }): JSX.Element {
  return (
    <span class="masked">
      <code class="untrusted">{value.masked}</code> <span class="muted">({plural(value.length, 'character')})</span>
    </span>
  );
}

/** A value that is no secret, or its mask. */
export function PlainValue({ option }: { option: ServiceOption }): JSX.Element {
  if (option.masked) return <MaskedText value={option.masked} />;
  if (option.value === null) return <span class="muted">{option.secret ? 'hidden' : `(${option.type})`}</span>;
  return <code class="untrusted">{String(option.value)}</code>;
}

/** @param reveal asks the page for the clear text */
export function Secret({
  name,
  value,
  reveal,
}: {
  name: string;
  value: Masked;
  reveal: () => Promise<string | null>;
}): JSX.Element {
  const [clear, setClear] = useState<string | null>(null);
  useEffect(() => {
    if (clear === null) return;
    const hide = (): void => setClear(null);
    const timer = setTimeout(hide, SHOWN_FOR);
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [clear]);
  if (clear === null)
    return (
      <span class="secret">
        <MaskedText value={value} />{' '}
        <Button
          kind="quiet"
          label={`Show ${name}`}
          title="Shown for 30 seconds; it can’t be copied"
          onClick={() => void reveal().then(setClear)}
        >
          Show
        </Button>
      </span>
    );
  const refuse = (event: Event): void => event.preventDefault();
  return (
    <span class="secret">
      <code class="clear untrusted" data-revealed={name} onCopy={refuse} onCut={refuse} onDragStart={refuse}>
        {clear}
      </code>
      <Button kind="quiet" label={`Hide ${name}`} onClick={() => setClear(null)}>
        Hide
      </Button>
    </span>
  );
}
