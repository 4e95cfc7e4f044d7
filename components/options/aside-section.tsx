/** Owns saying what is stored but cannot be used, and handing it out as a file. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { KeptAside } from '../../lib/extension/messaging/model/kept-aside.ts';
import { Button } from '../ui/index.ts';
import type { OptionsPort } from '../../lib/extension/options/port.ts';

function words({ problem, aside }: KeptAside): string {
  const records =
    aside === 0
      ? ''
      : `${aside === 1 ? 'One damaged record is' : `${aside} damaged records are`} kept aside and not used.`;
  const whole =
    problem === 'newer'
      ? 'Written by a newer version of this extension; left as it is.'
      : problem === 'damaged'
        ? 'The browser’s database is damaged; what can be read of it is left as it is.'
        : '';
  return [whole, records].filter(Boolean).join(' ');
}

/** Nothing when all is as it should be. */
export function AsideSection({
  port,
}: {
  port: Pick<OptionsPort, 'lookAside' | 'writeAside' | 'download'>;
}): JSX.Element | null {
  const [found, setFound] = useState<readonly KeptAside[]>([]);
  useEffect(() => {
    const look = (): void => void port.lookAside().then(setFound);
    look();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [port]);
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="aside-title" data-aside="">
      <h2 id="aside-title">Kept aside</h2>
      <p class="hint">Nothing of this is deleted, unless you erase all data.</p>
      <dl class="stored">
        {found.map((one) => [<dt key={one.title}>{one.title}</dt>, <dd key={`${one.title}.words`}>{words(one)}</dd>])}
      </dl>
      <div class="form-actions">
        <Button onClick={() => void port.writeAside().then((text) => port.download('platform-kept-aside.json', text))}>
          Save as a file
        </Button>
        <span class="hint">The file holds no token. It can hold what your actions worked with.</span>
      </div>
    </section>
  );
}
