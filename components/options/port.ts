/** Owns what the options page needs from the browser and the worker; the entrypoint wires it, tests stand in for it. */
import type { Environment, EnvironmentInput, Result } from '../../lib/contract/index.ts';

export interface OptionsPort {
  list(): Promise<Result<Environment[]>>;
  save(input: EnvironmentInput): Promise<Result<Environment>>;
  remove(id: string): Promise<Result<null>>;
  test(takes: { id: string } | { draft: EnvironmentInput }): Promise<Result<{ apps: number; milliseconds: number }>>;
  /** How many damaged records the vault keeps aside. */
  state(): Promise<Result<{ aside: number }>>;
  erase(): Promise<Result<null>>;
  hasAccess(baseUrl: string): Promise<boolean>;
  /** Shows the browser's question. Must be called in a click's own turn, before any `await`. */
  requestAccess(baseUrl: string): Promise<boolean>;
  /** Gives up access that was asked for, unless a stored environment needs it. */
  releaseAccess(baseUrl: string): Promise<void>;
  download(fileName: string, text: string): void;
}
