/** Owns the lock as the options page shows it: its state, what the person has begun, and what came of it. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ErrorValue, LockState, Result, VaultState } from '../../lib/platform-api/index.ts';
import { Alert, Badge } from '../ui/index.ts';
import { useLock } from '../ui/unlock-port.ts';
import { type Doing, Locked, Unlocked, Unprotected } from './lock-states.tsx';
import type { OptionsPort } from '../../lib/extension/options/port.ts';

type Kind = LockState['kind'] | 'damaged' | null;

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
  const heading = useRef<HTMLHeadingElement>(null);
  const kind: Kind = damage ? 'damaged' : (state?.kind ?? null);
  // What is begun for one state is no use in another.
  const doing = begun.kind === kind ? begun.doing : null;
  const setDoing = (what: Doing): void => setBegun({ doing: what, kind });
  // What was said of one state is not true of the next.
  const status = said.kind === (state?.kind ?? null) ? said.text : '';
  const setStatus = (text: string): void => setSaid({ text, kind: lock.state()?.kind ?? null });

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
  const parts = { port, doing, begin, cancel, done, ask };

  return (
    <section class="lock" aria-labelledby="lock-title">
      <h2 id="lock-title" ref={heading} tabIndex={-1}>
        Lock {state ? <StateBadge kind={state.kind} /> : null}
      </h2>
      {damage ? <Alert error={damage} /> : null}
      {error ? <Alert error={error} onDismiss={() => setError(null)} /> : null}
      {kind === 'open' ? <Unprotected {...parts} /> : null}
      {state?.kind === 'unlocked' ? <Unlocked {...parts} state={state} /> : null}
      {kind === 'locked' || kind === 'damaged' ? (
        <Locked {...parts} isDamaged={kind === 'damaged'} onReset={onChanged} />
      ) : null}
      <p class="status" role="status">
        {status}
      </p>
    </section>
  );
}

function StateBadge({ kind }: { kind: LockState['kind'] }): JSX.Element | null {
  if (kind === 'open') return null;
  return kind === 'locked' ? <Badge tone="warning">locked</Badge> : <Badge tone="success">unlocked</Badge>;
}
