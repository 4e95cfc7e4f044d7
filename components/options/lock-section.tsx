/** Shows the lock’s state, its forms, and their results. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ErrorValue, Result } from '../../lib/platform-api/index.ts';
import { Alert, Badge } from '../ui/index.ts';
import { type UnlockPort, useLock } from '../ui/unlock/unlock-port.ts';
import { type Task, Locked, Unlocked, Unprotected } from './lock-states.tsx';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import type { LockState, VaultState } from '../../lib/extension/messaging/model/lock.ts';

type Kind = LockState['kind'] | 'damaged' | null;

export interface LockSectionProps {
  port: OptionsPort;
  /** Incremented each time the user clicks “Forgot passphrase” elsewhere on the page. */
  forgotten: number;
  /** Why the stored lock can’t be used. It can only be reset. */
  damage: ErrorValue | null;
  onChanged: () => void;
}

export function LockSection({ port, forgotten, damage, onChanged }: LockSectionProps): JSX.Element {
  const lock = useLock(port.lock);
  const state = lock.state();
  const [started, setStarted] = useState<{ task: Task; kind: Kind }>({ task: null, kind: null });
  const [status, setStatus] = useLockStatus(lock);
  const [error, setError] = useState<ErrorValue | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const kind: Kind = damage ? 'damaged' : (state?.kind ?? null);
  // A task started in one state doesn’t apply to another.
  const task = started.kind === kind ? started.task : null;
  const setTask = (next: Task): void => setStarted({ task: next, kind });

  useEffect(() => {
    if (forgotten > 0) setTask('reset');
  }, [forgotten]);
  useLayoutEffect(() => {
    // The form that had focus is gone.
    if (status !== '' && document.activeElement === document.body) heading.current?.focus();
  }, [task, kind, status]);
  useStateAfterLock(port, state);

  const begin = (next: Task): void => {
    setStatus('');
    setError(null);
    setTask(next);
  };
  const cancel = (): void => {
    begin(null);
    heading.current?.focus();
  };
  const done = (text: string) => (): void => {
    setStatus(text);
    setTask(null);
  };
  const submit = async (answering: Promise<Result<VaultState>>, text: string): Promise<void> => {
    begin(null);
    const answer = await answering;
    if (answer.ok) setStatus(text);
    else setError(answer.error);
  };
  const parts = { port, task, begin, cancel, done, submit };

  return (
    <section class="lock" aria-labelledby="lock-title">
      <h2 id="lock-title" ref={heading} tabIndex={-1}>
        Lock <StateBadge kind={state?.kind} />
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

/** A status that disappears when the lock state changes, because it may no longer be true. */
function useLockStatus(lock: Pick<UnlockPort, 'state'>): [status: string, setStatus: (text: string) => void] {
  const [message, setMessage] = useState<{ text: string; kind: Kind }>({ text: '', kind: null });
  const kind = (): Kind => lock.state()?.kind ?? null;
  return [message.kind === kind() ? message.text : '', (text) => setMessage({ text, kind: kind() })];
}

/**
 * Reads the state again when the vault should have locked. Activity elsewhere in the extension might have delayed it.
 */
function useStateAfterLock(port: OptionsPort, state: LockState | null): void {
  useEffect(() => {
    if (state?.kind !== 'unlocked') return undefined;
    const timer = setTimeout(() => void port.state(), Math.max(state.locksAt - Date.now(), 0) + 1_000);
    return () => clearTimeout(timer);
  }, [state]);
}

function StateBadge({ kind }: { kind: LockState['kind'] | undefined }): JSX.Element | null {
  if (kind === 'locked') return <Badge tone="warning">locked</Badge>;
  return kind === 'unlocked' ? <Badge tone="success">unlocked</Badge> : null;
}
