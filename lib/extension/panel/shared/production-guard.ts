/**
 * Asks before an operation changes a production environment. Protects against mistakes, not against attackers: a script
 * that controls the panel can skip it.
 */
import { computed, signal } from '@preact/signals';
import { type Environment, labelOf } from '../../messaging/model/environment.ts';
import { isUnlocked, type UnlockedProduction } from '../../messaging/model/guard.ts';
import type { Send } from '../../messaging/protocol.ts';
import { type GuardQuestion, isSameQuestion } from './guard-questions.ts';

/** What operations need of the guard. */
export interface Guard {
  /**
   * Starts `work`, right away or once the user confirms. Resolves to null, without having started it, if they cancel or
   * are still being asked about another operation.
   */
  allow<T>(environmentId: string | null, question: GuardQuestion, work: () => Promise<T>): Promise<T | null>;
}

/** Like `allow`, but asks again if the question isn't the same anymore, because what it's about has changed. */
export async function allowCurrent<T>(
  guard: Guard,
  environmentId: string | null,
  question: () => GuardQuestion,
  work: () => Promise<T>,
): Promise<T | null> {
  const asked = question();
  return guard.allow<T | null>(environmentId, asked, () =>
    isSameQuestion(asked, question()) ? work() : allowCurrent(guard, environmentId, question, work),
  );
}

export interface OpenQuestion {
  /** Null for a page while it's unknown which environments there are. */
  environment: Environment | null;
  question: GuardQuestion;
}

export interface ProductionGuardOptions {
  send: Send;
  /** Null if they couldn't be loaded. */
  environments: () => readonly Environment[] | null;
  now?: () => number;
}

/** At least 1, for display. */
export const minutesLeft = (until: number, now: number): number => Math.max(1, Math.ceil((until - now) / 60_000));

export class ProductionGuard implements Guard {
  /** With the environment as it is now. */
  readonly question = computed((): OpenQuestion | null => {
    const open = this.#open.value;
    return open && { ...open, environment: this.#find(open.environment?.id) ?? open.environment };
  });
  readonly unlocked = computed((): { environment: Environment; until: number }[] =>
    this.#unlocked.value.flatMap(({ environmentId, until }) => {
      const environment = this.#find(environmentId);
      return environment?.production ? [{ environment, until }] : [];
    }),
  );
  readonly #options: ProductionGuardOptions;
  readonly #open = signal<OpenQuestion | null>(null);
  readonly #unlocked = signal<readonly UnlockedProduction[]>([]);
  readonly #now: () => number;
  #answer: ((isConfirmed: boolean) => void) | null = null;
  #isAsking = false;
  #nextEnd: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ProductionGuardOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  allow<T>(environmentId: string | null, question: GuardQuestion, work: () => Promise<T>): Promise<T | null> {
    if (question.harmless) return work();
    const environment = this.#find(environmentId) ?? null;
    const isUnknown = this.#options.environments() === null;
    if (!isUnknown && !environment?.production && !(environment && question.always)) return work();
    return this.#allowsOnce({ environment, question }).then((isAllowed) => (isAllowed ? work() : null));
  }

  /** See `labelOf`. */
  label(environment: Environment): string {
    return labelOf(environment, this.#options.environments() ?? []);
  }

  confirm(unlock: boolean): void {
    const environment = this.#open.peek()?.environment;
    if (unlock && environment && this.#isUnchanged(environment)) void this.#change('guard.unlock', environment.id);
    this.#answer?.(true);
  }

  cancel = (): void => this.#answer?.(false);

  lock(environmentId: string): Promise<void> {
    return this.#change('guard.lock', environmentId);
  }

  async refresh(): Promise<void> {
    const listed = await this.#options.send('guard.list', undefined);
    this.#show(listed.ok ? listed.value : []);
  }

  dispose(): void {
    clearTimeout(this.#nextEnd);
    this.cancel();
  }

  #find(environmentId: string | null | undefined): Environment | undefined {
    return this.#options.environments()?.find(({ id }) => id === environmentId);
  }

  /** Under another base URL, it's another platform. */
  #isUnchanged({ id, baseUrl }: Environment): boolean {
    return this.#find(id)?.baseUrl === baseUrl;
  }

  async #allowsOnce(open: OpenQuestion): Promise<boolean> {
    if (this.#isAsking) return false;
    this.#isAsking = true;
    try {
      const { environment, question } = open;
      return (environment && !question.always && (await this.#isUnlocked(environment))) || (await this.#ask(open));
    } finally {
      this.#isAsking = false;
    }
  }

  /** Asks the worker, because another panel might have locked it. */
  async #isUnlocked({ id }: Environment): Promise<boolean> {
    await this.refresh();
    return this.#unlocked.peek().some(({ environmentId }) => environmentId === id);
  }

  async #ask(open: OpenQuestion): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#answer = resolve;
    this.#open.value = open;
    const isConfirmed = await promise;
    this.#answer = null;
    this.#open.value = null;
    return isConfirmed && (open.environment === null || this.#isUnchanged(open.environment));
  }

  async #change(name: 'guard.unlock' | 'guard.lock', environmentId: string): Promise<void> {
    const changed = await this.#options.send(name, { environmentId });
    if (changed.ok) this.#show(changed.value);
    else await this.refresh();
  }

  /** Hides each one when it ends. */
  #show(all: readonly UnlockedProduction[]): void {
    clearTimeout(this.#nextEnd);
    const now = this.#now();
    const current = all.filter((one) => isUnlocked(one, now));
    this.#unlocked.value = current;
    if (current.length === 0) return;
    const next = Math.min(...current.map(({ until }) => until));
    this.#nextEnd = setTimeout(() => this.#show(current), next - now);
  }
}
