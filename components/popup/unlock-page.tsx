/** Owns the page that stands in the popup's place while the tokens are locked. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { UnlockForm } from '../ui/unlock-form.tsx';
import { type UnlockPort, useLock } from '../ui/unlock-port.ts';
import './popup.css';

export interface UnlockPageProps {
  lock: UnlockPort;
  /** `popup.html` asks again for what was refused; with `?later` it does without. */
  goBack: (where: 'popup.html' | 'popup.html?later') => void;
  openOptions: () => void;
}

export function UnlockPage({ lock, goBack, openOptions }: UnlockPageProps): JSX.Element {
  const kind = useLock(lock).state()?.kind;
  const wasLocked = useRef(false);
  useEffect(() => {
    if (kind === 'locked') wasLocked.current = true;
    // Where nothing was locked in the first place, the way back must not lead here again.
    else if (kind) goBack(wasLocked.current ? 'popup.html' : 'popup.html?later');
  }, [kind]);
  return (
    <main>
      <h1>Publish an update</h1>
      <UnlockForm lock={{ ...lock, notNow: () => goBack('popup.html?later') }} takesFocus onForgotten={openOptions} />
    </main>
  );
}
