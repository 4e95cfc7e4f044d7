/** Owns what the options page says and offers in each state of the lock: under no passphrase, unlocked, and locked or damaged. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LockState, Result, VaultState } from '../../lib/platform-api/index.ts';
import { DEFAULT_IDLE_MINUTES } from '../../lib/platform-api/index.ts';
import { Button } from '../ui/index.ts';
import { IdleChoice, minutesText } from './idle-choice.tsx';
import { LockForm } from './lock-form.tsx';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import { TypedWord } from './typed-word.tsx';

export type Doing = 'protect' | 'change' | 'unprotect' | 'reset' | null;

export interface LockStateProps {
  port: OptionsPort;
  /** What the person has begun. */
  doing: Doing;
  begin: (what: Doing) => void;
  cancel: () => void;
  /** Says so when what was begun is done. */
  done: (said: string) => () => void;
  /** Says so when the worker has answered, or why not. */
  ask: (answering: Promise<Result<VaultState>>, said: string) => Promise<void>;
}

export function Unprotected({ port, doing, begin, cancel, done }: LockStateProps): JSX.Element {
  const [idle, setIdle] = useState(DEFAULT_IDLE_MINUTES);
  return (
    <>
      <p class="hint">
        A passphrase protects the tokens from someone who copies this disk, or who sits at this machine while they are
        locked. It does not protect them from someone who can run programs or extensions as you while they are unlocked.
      </p>
      {doing === null ? (
        <div class="form-actions">
          <Button onClick={() => begin('protect')}>Set a passphrase</Button>
        </div>
      ) : null}
      {doing === 'protect' ? (
        <LockForm
          label="Set a passphrase"
          does="Lock with this passphrase"
          asksCurrent={false}
          asksNew
          onSubmit={(_, next) => port.protect(next, idle)}
          onDone={done('The tokens are under the passphrase now. Nobody can find it out for you: keep it.')}
          onCancel={cancel}
        >
          <IdleChoice minutes={idle} onChange={setIdle} />
        </LockForm>
      ) : null}
    </>
  );
}

export function Unlocked({
  state,
  port,
  doing,
  begin,
  cancel,
  done,
  ask,
}: LockStateProps & { state: Extract<LockState, { kind: 'unlocked' }> }): JSX.Element {
  return (
    <>
      <p class="hint">
        The tokens can be used. They lock at{' '}
        <time dateTime={new Date(state.locksAt).toISOString()}>{clockTime(state.locksAt)}</time>, later if somebody
        works here until then, and when the browser is closed.
      </p>
      {doing === null ? (
        <>
          <IdleChoice
            minutes={state.idleMinutes}
            onChange={(minutes) => void ask(port.setIdle(minutes), `They lock after ${minutesText(minutes)} now.`)}
          />
          <div class="form-actions">
            <Button kind="primary" onClick={() => void ask(port.lockNow(), 'The tokens are locked.')}>
              Lock now
            </Button>
            <Button onClick={() => begin('change')}>Change passphrase</Button>
            <Button kind="quiet" onClick={() => begin('unprotect')}>
              Remove passphrase
            </Button>
          </div>
        </>
      ) : null}
      {doing === 'change' ? (
        <LockForm
          label="Change passphrase"
          does="Change it"
          asksCurrent
          asksNew
          onSubmit={port.changePassphrase}
          onDone={done('The passphrase is changed. The old one opens nothing any more.')}
          onCancel={cancel}
        />
      ) : null}
      {doing === 'unprotect' ? (
        <LockForm
          label="Remove passphrase"
          does="Remove it"
          asksCurrent
          asksNew={false}
          onSubmit={port.unprotect}
          onDone={done('The passphrase is removed. The browser keeps the key again.')}
          onCancel={cancel}
        >
          <p class="hint">The browser then keeps the key itself: whoever can use this browser can use the tokens.</p>
        </LockForm>
      ) : null}
    </>
  );
}

/** @param isDamaged what is stored about the passphrase can be given up, and nothing else */
export function Locked({
  port,
  isDamaged,
  doing,
  begin,
  cancel,
  ask,
  onReset,
}: LockStateProps & { isDamaged: boolean; onReset: () => void }): JSX.Element {
  if (doing === 'reset') {
    return (
      <>
        <p class="hint">
          Without it nobody can read the tokens, this extension neither. To begin anew, every token is removed, and the
          passphrase with them. Environments stay with their names and addresses, and so do runs, payloads and
          publishes. Then enter each token again.
        </p>
        <TypedWord
          word="reset"
          does="Remove all tokens"
          onConfirm={() =>
            ask(
              port.reset(),
              'The tokens and the passphrase are removed. Press Edit at an environment to enter its token.',
            ).then(onReset)
          }
          onCancel={cancel}
        />
      </>
    );
  }
  return (
    <>
      {isDamaged ? null : (
        <p class="hint">
          No token can be read until the passphrase is entered, here or in any other window of the extension.
        </p>
      )}
      <div class="form-actions">
        {port.lock.isPrompting() || isDamaged ? null : (
          <Button kind="primary" onClick={() => port.lock.prompt()}>
            Unlock
          </Button>
        )}
        <Button kind="quiet" onClick={() => begin('reset')}>
          I forgot the passphrase
        </Button>
      </div>
    </>
  );
}

/** With its day, when that is not today. */
function clockTime(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}
