/** The options page’s interface to the worker and the browser. Tests replace it. */
import type { Result } from '../../platform-api/index.ts';
import type { Lock } from '../messaging/lock.ts';
import type { OptionsForm } from '../messaging/options-page.ts';
import type { StoredChanges } from '../messaging/stored-changes.ts';
import type { RefusedMessages } from '../messaging/model/refusals.ts';
import type { QuarantineFile, QuarantineReport } from '../messaging/model/stored-data.ts';
import type { Environment, EnvironmentInput, TestedConnection } from '../messaging/model/environment.ts';
import type { ImportOutcome, ImportPreview, VaultState } from '../messaging/model/lock.ts';

export interface OptionsPort {
  list(): Promise<Result<Environment[]>>;
  save(input: EnvironmentInput): Promise<Result<Environment>>;
  remove(id: string): Promise<Result<{ isHistoryRemoved: boolean }>>;
  test(target: { id: string } | { draft: EnvironmentInput }): Promise<Result<TestedConnection>>;
  /** Asks for access to this computer, so call it directly in a click handler, before any `await`. */
  findLocalPlatform(port: number): Promise<Result<{ baseUrl: string }>>;
  /** Calls `listener` with each form that another page of the extension asks for. Returns a function that ends this. */
  listenForForms(listener: (form: OptionsForm) => void): () => void;
  lock: Pick<Lock, 'state' | 'isPrompting' | 'subscribe' | 'unlock' | 'dismiss' | 'prompt'>;
  changes: Pick<StoredChanges, 'subscribe'>;
  state(): Promise<Result<VaultState>>;
  lockNow(): Promise<Result<VaultState>>;
  protect(passphrase: string, idleMinutes: number): Promise<Result<VaultState>>;
  changePassphrase(current: string, passphrase: string): Promise<Result<VaultState>>;
  setIdle(idleMinutes: number): Promise<Result<VaultState>>;
  unprotect(passphrase: string): Promise<Result<VaultState>>;
  reset(): Promise<Result<VaultState>>;
  /** With a passphrase, the text includes encrypted tokens. */
  exportText(passphrase?: string): Promise<Result<{ text: string }>>;
  /** Reads an environments file without importing it. */
  readFile(text: string): Promise<Result<ImportPreview>>;
  importText(text: string, passphrase?: string): Promise<Result<ImportOutcome>>;
  erase(): Promise<Result<null>>;
  /** Whether private windows can have data of their own, which `erase` can’t check. */
  canBePrivate(): Promise<boolean>;
  /** Never rejects. */
  inspectQuarantine(): Promise<QuarantineReport[]>;
  exportQuarantine(): Promise<QuarantineFile>;
  refusedMessages(): Promise<Result<RefusedMessages>>;
  hasAccess(baseUrl: string): Promise<boolean>;
  /** Shows the browser’s prompt, so call it directly in a click handler, before any `await`. */
  requestAccess(baseUrl: string): Promise<boolean>;
  /** Revokes access unless a stored environment needs it. */
  releaseAccess(baseUrl: string): Promise<void>;
  saveFile(name: string, content: string): void;
}
