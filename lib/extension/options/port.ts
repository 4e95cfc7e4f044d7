/** Owns what the options page needs from the browser and the worker; the entrypoint wires it, tests stand in for it. */
import type { Environment, EnvironmentInput, ImportOutcome, Result, VaultState } from '../../platform-api/index.ts';
import type { KeptAside } from '../messaging/model/kept-aside.ts';
import type { RefusedMessages } from '../messaging/model/refusals.ts';
import type { UnlockPort } from '../../../components/ui/unlock-port.ts';
import type { Lock } from '../messaging/lock.ts';

export interface OptionsPort {
  list(): Promise<Result<Environment[]>>;
  save(input: EnvironmentInput): Promise<Result<Environment>>;
  remove(id: string): Promise<Result<null>>;
  test(takes: { id: string } | { draft: EnvironmentInput }): Promise<Result<{ apps: number; milliseconds: number }>>;
  /** What is known of the lock, which every answer of the worker may change. */
  lock: UnlockPort & Pick<Lock, 'prompt'>;
  state(): Promise<Result<VaultState>>;
  lockNow(): Promise<Result<VaultState>>;
  protect(passphrase: string, idleMinutes: number): Promise<Result<VaultState>>;
  changePassphrase(current: string, passphrase: string): Promise<Result<VaultState>>;
  setIdle(idleMinutes: number): Promise<Result<VaultState>>;
  unprotect(passphrase: string): Promise<Result<VaultState>>;
  reset(): Promise<Result<VaultState>>;
  /** With a passphrase the tokens are in it, sealed under that. */
  exportText(passphrase?: string): Promise<Result<{ text: string }>>;
  importText(text: string, passphrase?: string): Promise<Result<ImportOutcome>>;
  erase(): Promise<Result<null>>;
  /** What is stored but cannot be used; never rejects. */
  lookAside(): Promise<KeptAside[]>;
  /** The text of a file with it. */
  writeAside(): Promise<string>;
  /** The messages that the worker has refused. */
  refused(): Promise<Result<RefusedMessages>>;
  hasAccess(baseUrl: string): Promise<boolean>;
  /** Shows the browser's question. Must be called in a click's own turn, before any `await`. */
  requestAccess(baseUrl: string): Promise<boolean>;
  /** Gives up access that was asked for, unless a stored environment needs it. */
  releaseAccess(baseUrl: string): Promise<void>;
  download(fileName: string, text: string): void;
}
