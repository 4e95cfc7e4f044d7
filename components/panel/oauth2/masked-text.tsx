/** Shows masked secrets. Some can be revealed for 30 seconds, but not copied. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { plural } from '../../../lib/shared/format.ts';
import type { Masked, ServiceOption } from '../../../lib/extension/panel/oauth2/types.ts';
import { Button } from '../../ui/index.ts';

const REVEAL_TIME = 30_000;

export function MaskedText({ value }: { value: Masked }): JSX.Element {
  return (
    <span class="masked">
      <code class="untrusted">{value.masked}</code> <span class="muted">({plural(value.length, 'character')})</span>
    </span>
  );
}

/** An option's value, or its mask if it's secret. */
export function PlainValue({ option }: { option: ServiceOption }): JSX.Element {
  if (option.masked) return <MaskedText value={option.masked} />;
  if (option.value === null) return <span class="muted">{option.secret ? 'hidden' : `(${option.type})`}</span>;
  return <code class="untrusted">{String(option.value)}</code>;
}

export interface SecretProps {
  name: string;
  value: Masked;
  reveal: () => Promise<string | null>;
}

/** @param reveal reads the plain text from the page */
export function Secret({ name, value, reveal }: SecretProps): JSX.Element {
  const [clear, setClear] = useState<string | null>(null);
  useEffect(() => {
    if (clear === null) return;
    const hide = (): void => setClear(null);
    const timer = setTimeout(hide, REVEAL_TIME);
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
          title="Show for 30 seconds (can’t be copied)"
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
