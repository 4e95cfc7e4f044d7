/** Owns showing which messages the background worker has refused: something other than the extension's own pages may be at work. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RefusedMessages } from '../../lib/extension/messaging/model/refusals.ts';
import type { OptionsPort } from '../../lib/extension/options/port.ts';

const time = (at: number): string => new Date(at).toLocaleString();

/** Nothing when none was refused. */
export function RefusalsSection({ port }: { port: Pick<OptionsPort, 'refused'> }): JSX.Element | null {
  const [refused, setRefused] = useState<RefusedMessages | null>(null);
  useEffect(() => {
    const look = async (): Promise<void> => {
      const answer = await port.refused();
      if (answer.ok) setRefused(answer.value);
    };
    void look();
    const onFocus = (): void => void look();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [port]);
  if (!refused || refused.refusals.length === 0) return null;
  return (
    <section aria-labelledby="refused-title" data-refused="">
      <h2 id="refused-title">Refused messages</h2>
      <p class="hint">
        Since {time(refused.since)} the background worker has refused these, and done nothing for them. A page that is
        older than an update of the extension sends such messages too: reload it. If the numbers grow by themselves,
        remove the extensions that you do not trust.
      </p>
      <dl class="stored">
        {refused.refusals.map(({ code, reason, count, last }) => [
          <dt key={`${code} ${reason}`}>
            <code>{code}</code>
          </dt>,
          <dd key={`${code} ${reason}.words`}>
            {reason} {count === 1 ? 'Once' : `${count.toLocaleString('en')} times`}, last at {time(last)}.
          </dd>,
        ])}
      </dl>
    </section>
  );
}
