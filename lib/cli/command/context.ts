/** What a command works with: its environment, its output, and confirmations. */
import { stripVTControlCharacters } from 'node:util';
import { CodedError } from '../../platform-api/coded-error.ts';
import { isLoopback } from '../../platform-api/loopback.ts';
import type { Connection } from '../../rest/index.ts';
import { appOf, chosenEnvironment, connectionOf } from '../config/choose.ts';
import type { ChosenEnvironment } from '../config/environments.ts';
import { readProject, type Project } from '../config/project.ts';
import type { Host } from './host.ts';
import { proxyIgnored, proxyOf, useProxy } from './proxy.ts';
import { type Color, fitted, hasColors, oneLine, paint, printableJson } from './text.ts';

/** Options that every command has. */
export interface GlobalOptions {
  env?: string;
  url?: string;
  tokenFile?: string;
  json?: boolean;
  yes?: boolean;
  color?: boolean;
}

export class CliContext {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly json: boolean;
  readonly options: GlobalOptions;
  readonly #hasColors: boolean;
  #project: Promise<Project> | undefined;
  #hasProgress = false;
  #restoreNetwork: (() => void) | undefined;

  constructor(host: Host, options: GlobalOptions) {
    this.host = host;
    this.signal = host.signal;
    this.options = options;
    this.json = options.json ?? false;
    this.#hasColors = options.color !== false && hasColors(host.env, host.isTerminal.out);
  }

  /** The project file of the current folder or of one above it. */
  project(): Promise<Project> {
    return (this.#project ??= readProject(this.host.cwd));
  }

  /**
   * From here on, requests go through the proxy that the user has set.
   * @throws CodedError `NO_ENVIRONMENT`, `ENVIRONMENT_NOT_FOUND`, `CONFIG_INVALID`, `ARGUMENT_INVALID`
   */
  async environment(): Promise<ChosenEnvironment> {
    const environment = await chosenEnvironment(this, await this.project());
    const isHere = isLoopback(new URL(environment.baseUrl).hostname);
    // Node’s own use of a proxy is replaced: it would send the requests to this machine there, too.
    if (!this.#restoreNetwork && (!isHere || this.host.env.NODE_USE_ENV_PROXY === '1')) this.#useProxy();
    return environment;
  }

  #useProxy(): void {
    const proxy = proxyOf(this.host.env);
    this.#restoreNetwork = proxy ? useProxy(proxy, this.host.env) : () => {};
    if (!proxy || proxy.isUsed) return;
    const { message, hint } = proxyIgnored(proxy);
    this.warn(`${message} ${hint}`);
  }

  /** The environment’s URL with the token for it. @throws CodedError also `TOKEN_MISSING`, `TOKENS_INVALID` */
  async connect(): Promise<{ environment: ChosenEnvironment; connection: Connection }> {
    const environment = await this.environment();
    return { environment, connection: await connectionOf(environment, this) };
  }

  /** The ID of the app: given as `--app`, or of the project. @throws CodedError `NO_APP`, `ARGUMENT_INVALID` */
  async app(given: string | undefined): Promise<number> {
    return appOf(given, await this.project());
  }

  /**
   * Resolves if a change may be made: at once for an environment that isn’t production, and with `--yes`.
   * @param question such as “Publish app 101?”
   * @throws CodedError `CONFIRMATION_NEEDED`, `ABORTED`
   */
  async confirmChange({ name, isProduction }: ChosenEnvironment, question: string): Promise<void> {
    if (!isProduction || this.options.yes) return;
    if (!this.host.isTerminal.in || !this.host.isTerminal.error)
      throw new CodedError({
        code: 'CONFIRMATION_NEEDED',
        message: `The environment “${name}” is production, and there’s no terminal to ask you. Nothing was sent.`,
        hint: 'Add --yes if you want to change it.',
      });
    const asked = `${oneLine(question)} The environment “${name}” is production.`;
    const { confirmOnTerminal } = await import('./prompts.ts');
    if (!(await confirmOnTerminal(this.host.tokens.mask(asked), this.signal)))
      throw new CodedError({ code: 'ABORTED', message: 'Nothing was changed.' });
  }

  /** Prints the result: `data` as one JSON document with `--json`, otherwise text. */
  print(data: object, text: () => string): void {
    this.endProgress();
    const printed = this.json ? `${printableJson(data)}\n` : text();
    this.host.out(this.#hasColors || this.json ? printed : stripVTControlCharacters(printed));
  }

  /** Shows what the command does at the moment, on a terminal only. Replaced by the next one. */
  progress(text: string): void {
    if (!this.host.isTerminal.error || this.json) return;
    this.#hasProgress = true;
    this.host.error(`\r\u001b[K${fitted(oneLine(text), this.host.columns - 1)}`);
  }

  /** Undoes what the command has changed in this process. */
  close(): void {
    this.endProgress();
    this.#restoreNetwork?.();
  }

  endProgress(): void {
    if (this.#hasProgress) this.host.error('\r\u001b[K');
    this.#hasProgress = false;
  }

  /** One line on standard error. */
  warn(text: string): void {
    this.endProgress();
    this.host.error(`Warning: ${oneLine(text)}\n`);
  }

  paint(color: Color, text: string): string {
    return this.#hasColors ? paint(color, text) : text;
  }
}
