/** Lists messages that the background worker refused. They might come from another page or extension. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RefusedMessages } from '../../lib/extension/messaging/model/refusals.ts';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import { plural } from '../../lib/shared/format.ts';
import { DateTime } from '../ui/small.tsx';

export function RefusedMessagesSection({ port }: { port: OptionsPort }): JSX.Element | null {
  const [refused, setRefused] = useState<RefusedMessages | null>(null);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const answer = await port.refusedMessages();
      if (answer.ok) setRefused(answer.value);
    };
    const onFocus = (): void => void load();
    onFocus();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [port]);
  if (!refused || refused.refusals.length === 0) return null;
  return (
    <section aria-labelledby="refused-title" data-refused="">
      <h2 id="refused-title">Rejected messages</h2>
      <p class="hint">
        The background worker has rejected these messages since <DateTime at={refused.since} />. Pages opened before an
        extension update send them too. Reload those pages. If the count keeps growing, remove extensions that you don’t
        trust.
      </p>
      <dl class="stored">
        {refused.refusals.map(({ code, reason, count, last }) => [
          <dt key={`${code} ${reason}`}>
            <code>{code}</code>
          </dt>,
          <dd key={`${code} ${reason}.count`}>
            {reason} {plural(count, 'time')}, last <DateTime at={last} />.
          </dd>,
        ])}
      </dl>
    </section>
  );
}
