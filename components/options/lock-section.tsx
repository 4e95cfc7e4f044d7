/** Owns the lock as the options page shows it: setting a passphrase, changing it, locking, and giving it up. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ErrorValue, LockState, Result, VaultState } from '../../lib/contract/index.ts';
import { DEFAULT_IDLE_MINUTES } from '../../lib/contract/index.ts';
import { Select } from '../ui/field.tsx';
import { Alert, Badge, Button } from '../ui/index.ts';
import { useLock } from '../ui/unlock-port.ts';
import { LockForm } from './lock-form.tsx';
import type { OptionsPort } from './port.ts';
import { TypedWord } from './typed-word.tsx';

type Kind = LockState['kind'] | 'damaged' | null;
type Doing = 'protect' | 'change' | 'unprotect' | 'reset' | null;

export interface LockSectionProps {
  port: OptionsPort;
  /** Counts up whenever the person says elsewhere on the page that the passphrase is forgotten. */
  forgotten: number;
  /** What is wrong with what is stored about the passphrase: it can be given up, and nothing else. */
  damage: ErrorValue | null;
  onChanged: () => void;
}

export function LockSection({ port, forgotten, damage, onChanged }: LockSectionProps): JSX.Element {
  const lock = useLock(port.lock);
  const state = lock.state();
  const [begun, setBegun] = useState<{ doing: Doing; kind: Kind }>({ doing: null, kind: null });
  const [said, setSaid] = useState<{ text: string; kind: Kind }>({ text: '', kind: null });
  const [error, setError] = useState<ErrorValue | null>(null);
  const [idle, setIdle] = useState(DEFAULT_IDLE_MINUTES);
  const heading = useRef<HTMLHeadingElement>(null);
  const kind: Kind = damage ? 'damaged' : (state?.kind ?? null);
  // What is begun for one state is no use in another.
  const doing = begun.kind === kind ? begun.doing : null;
  const setDoing = (what: Doing): void => setBegun({ doing: what, kind });
  // What was said of one state is not true of the next.
  const status = said.kind === (state?.kind ?? null) ? said.text : '';
  const setStatus = (text: string): void => setSaid({ text, kind: lock.state()?.kind ?? null });
  const canReset = kind === 'locked' || kind === 'damaged';

  useEffect(() => {
    if (forgotten > 0) setDoing('reset');
  }, [forgotten]);
  useLayoutEffect(() => {
    // What had the focus is gone with its form.
    if (status !== '' && document.activeElement === document.body) heading.current?.focus();
  }, [doing, kind, status]);
  useEffect(() => {
    if (state?.kind !== 'unlocked') return undefined;
    // A person who worked elsewhere has moved the time on.
    const timer = setTimeout(() => void port.state(), Math.max(state.locksAt - Date.now(), 0) + 1_000);
    return () => clearTimeout(timer);
  }, [state]);

  const begin = (what: Doing): void => {
    setStatus('');
    setError(null);
    setDoing(what);
  };
  const cancel = (): void => {
    begin(null);
    heading.current?.focus();
  };
  const done = (said: string) => (): void => {
    setStatus(said);
    setDoing(null);
  };
  const ask = async (answering: Promise<Result<VaultState>>, said: string): Promise<void> => {
    begin(null);
    const answer = await answering;
    if (answer.ok) setStatus(said);
    else setError(answer.error);
  };

  return (
    <section class="lock" aria-labelledby="lock-title">
      <h2 id="lock-title" ref={heading} tabIndex={-1}>Lock {state ? <StateBadge kind={state.kind} /> : null}</h2>
      {damage ? <Alert error={damage} /> : null}
      {error ? <Alert error={error} onDismiss={() => setError(null)} /> : null}
      {kind === 'open' ? (
        <p class="hint">
          A passphrase protects the tokens from someone who copies this disk, or who sits at this machine while they are locked. It does not protect them
          from someone who can run programs or extensions as you while they are unlocked.
        </p>
      ) : null}
      {kind === 'open' && doing === null ? <div class="form-actions"><Button onClick={() => begin('protect')}>Set a passphrase</Button></div> : null}
      {kind === 'open' && doing === 'protect' ? (
        <LockForm label="Set a passphrase" does="Lock with this passphrase" asksCurrent={false} asksNew onSubmit={(_, next) => port.protect(next, idle)} onDone={done('The tokens are under the passphrase now. Nobody can find it out for you: keep it.')} onCancel={cancel}>
          <IdleChoice minutes={idle} onChange={setIdle} />
        </LockForm>
      ) : null}
      {state?.kind === 'unlocked' ? (
        <>
          <p class="hint">
            The tokens can be used. They lock at <time dateTime={new Date(state.locksAt).toISOString()}>{clockTime(state.locksAt)}</time>, later if somebody works here until then, and when the browser is closed.
          </p>
          {doing === null ? (
            <>
              <IdleChoice minutes={state.idleMinutes} onChange={(minutes) => void ask(port.setIdle(minutes), `They lock after ${words(minutes)} now.`)} />
              <div class="form-actions">
                <Button kind="primary" onClick={() => void ask(port.lockNow(), 'The tokens are locked.')}>Lock now</Button>
                <Button onClick={() => begin('change')}>Change passphrase</Button>
                <Button kind="quiet" onClick={() => begin('unprotect')}>Remove passphrase</Button>
              </div>
            </>
          ) : null}
          {doing === 'change' ? <LockForm label="Change passphrase" does="Change it" asksCurrent asksNew onSubmit={port.changePassphrase} onDone={done('The passphrase is changed. The old one opens nothing any more.')} onCancel={cancel} /> : null}
          {doing === 'unprotect' ? (
            <LockForm label="Remove passphrase" does="Remove it" asksCurrent asksNew={false} onSubmit={port.unprotect} onDone={done('The passphrase is removed. The browser keeps the key again.')} onCancel={cancel}>
              <p class="hint">The browser then keeps the key itself: whoever can use this browser can use the tokens.</p>
            </LockForm>
          ) : null}
        </>
      ) : null}
      {kind === 'locked' && doing === null ? <p class="hint">No token can be read until the passphrase is entered, here or in any other window of the extension.</p> : null}
      {canReset && doing === null ? (
        <div class="form-actions">
          {lock.isAsking() || damage ? null : <Button kind="primary" onClick={lock.ask}>Unlock</Button>}
          <Button kind="quiet" onClick={() => begin('reset')}>I forgot the passphrase</Button>
        </div>
      ) : null}
      {doing === 'reset' ? (
        <>
          <p class="hint">
            Without it nobody can read the tokens, this extension neither. To begin anew, every token is removed, and the passphrase with them. Environments
            stay with their names and addresses, and so do runs, payloads and publishes. Then enter each token again.
          </p>
          <TypedWord word="reset" does="Remove all tokens" onConfirm={() => ask(port.reset(), 'The tokens and the passphrase are removed. Press Edit at an environment to enter its token.').then(onChanged)} onCancel={cancel} />
        </>
      ) : null}
      <p class="status" role="status">{status}</p>
    </section>
  );
}

function StateBadge({ kind }: { kind: LockState['kind'] }): JSX.Element | null {
  if (kind === 'open') return null;
  return kind === 'locked' ? <Badge tone="warning">locked</Badge> : <Badge tone="success">unlocked</Badge>;
}

const CHOICES = [1, 5, 15, 30, 60, 240, 1440];

function IdleChoice({ minutes, onChange }: { minutes: number; onChange: (minutes: number) => void }): JSX.Element {
  const all = CHOICES.includes(minutes) ? CHOICES : [...CHOICES, minutes].sort((a, b) => a - b);
  return <Select name="idle" label="Lock when nobody works here for" value={String(minutes)} options={all.map((each) => ({ value: String(each), label: words(each) }))} onChange={(value) => onChange(Number(value))} />;
}

function words(minutes: number): string {
  if (minutes === 1440) return 'a day';
  if (minutes % 60 === 0) return minutes === 60 ? 'an hour' : `${minutes / 60} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/** With its day, when that is not today. */
function clockTime(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}
