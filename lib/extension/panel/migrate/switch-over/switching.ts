/** The switch-over of one action in the panel: its plan, how far it is, and what the user does. */
import { computed, signal } from '@preact/signals';
import {
  codeHash,
  type Draft,
  type GapItem,
  nextOf,
  planOf,
  type PlanStep,
  previousOf,
  type Situation,
  SwitchOver,
} from '../../../../migrate/switch-over/index.ts';
import type { ProfileName } from '../../../../platform-api/actions-v3/profiles.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import { ACTION_NAME_LIMIT, LOG_LIMIT } from '../../../../platform-api/limits.ts';
import type { LogRecord } from '../../../../platform-api/log.ts';
import type { GuardQuestion } from '../../shared/guard-questions.ts';
import type { Panel } from '../../shell/panel.ts';
import { registryKey } from '../../shell/registry.ts';
import type { Migrating } from '../migrating.ts';
import { backQuestion, checklist, handOverQuestion, stepQuestion, UPDATE, updateQuestion } from './checklist.ts';
import { SETTLE, settleQuestion } from './drift-text.ts';
import { journalStore } from './journal-store.ts';
import { portsOf } from './ports.ts';
import { targetOf } from './ways/outcome.ts';
import { stateOfV2 } from './ways/v2.ts';

const SUFFIX = '-v3';
const SWITCHING = registryKey<{ switching: Switching | null; dispose: () => void }>('switching');

/** The switch-over of the opened migration. */
export function switchingOf(panel: Panel, migrating: Migrating): Switching {
  const opened = panel.registry.get(SWITCHING, () => ({ switching: null as Switching | null, dispose: () => {} }));
  if (opened.switching?.migrating !== migrating) {
    opened.switching = new Switching(panel, migrating);
    void opened.switching.load();
  }
  return opened.switching;
}

export class Switching {
  readonly migrating: Migrating;
  readonly situation = signal<Situation | null>(null);
  /** Whether it’s known how far the switch-over is. */
  readonly isLoaded = signal(false);
  readonly error = signal<ErrorValue | null>(null);
  /** What’s being done, such as `Switch over`; null if nothing is. */
  readonly busy = signal<string | null>(null);
  readonly profile = signal<ProfileName>('plain');
  /** Of the draft. */
  readonly name = signal('');
  /** Of the V2 action’s runs, newest first. */
  readonly logs = signal<readonly LogRecord[]>([]);
  /** Why they couldn't be read. */
  readonly logsError = signal<ErrorValue | null>(null);
  /** Null until they’re checked. */
  readonly gap = signal<readonly GapItem[] | null>(null);
  readonly #panel: Panel;
  readonly #over: SwitchOver | null;
  readonly #environmentId: string | null;

  readonly draft = computed((): Draft | null => {
    const draft = this.migrating.properties.value;
    if (!draft) return null;
    const { actionVersion: _, active: __, ...properties } = draft;
    return { ...properties, name: this.name.value, code: this.migrating.edit.code.value } as Draft;
  });
  readonly plan = computed(() => {
    const planned = this.situation.value?.journal.draft ?? this.draft.value;
    if (!planned) return null;
    const { id, name, appId } = this.migrating.action;
    const { journal } = this.situation.value ?? {};
    const isLive = journal ? journal.v2.wasLive : stateOfV2(this.migrating.action).isLive;
    return planOf({
      action: { id, name, appId, isLive },
      migration: planned,
      recordings: (this.migrating.gathered.value?.runs ?? []).map(({ recording }) => recording),
      logs: this.logs.value,
      profile: this.profile.value,
      namespace: this.#panel.catalog.environment.value?.namespace ?? 'Platform',
      now: Date.now(),
    });
  });
  readonly steps = computed(() => checklist(this.plan.value?.steps ?? [], this.situation.value?.journal ?? null));
  /** Whether the draft has other code than the panel has now. */
  readonly isOutdated = computed((): boolean => {
    const { journal } = this.situation.value ?? {};
    const isOfDraft = journal !== undefined && journal.position !== 'none' && this.migrating.edit.code.value !== '';
    return isOfDraft && codeHash(this.migrating.edit.code.value) !== journal.draft.codeHash;
  });
  /** Why the draft can’t be created; null if it can. */
  readonly cannotCreate = computed((): string | null => {
    if (!/^[\w-]+$/.test(this.name.value)) return 'Enter a name of letters, digits, dashes, and underscores';
    if (this.name.value.length > ACTION_NAME_LIMIT) return 'Enter a shorter name';
    return this.migrating.edit.problems.value.length > 0 ? 'Correct the code first' : null;
  });
  /** Why the draft can’t be replaced by one with the code as it is now; null if it can. */
  readonly cannotUpdate = computed((): string | null => {
    const { journal } = this.situation.value ?? {};
    if (journal?.position !== 'draft' || journal.goal !== null) return 'Go back to the draft first';
    return this.cannotCreate.value;
  });
  /** The step that *Go back* undoes; null if there’s none. */
  readonly undoable = computed((): PlanStep | null => {
    const journal = this.situation.value?.journal;
    if (!journal || journal.position === 'removed') return null;
    const later = journal.goal === null ? journal.position : nextOf(journal);
    return this.plan.value?.steps.find(({ to }) => to === later) ?? null;
  });

  constructor(panel: Panel, migrating: Migrating) {
    this.#panel = panel;
    this.migrating = migrating;
    const { action } = migrating;
    this.name.value = `${action.name.slice(0, ACTION_NAME_LIMIT - SUFFIX.length)}${SUFFIX}`;
    const environment = panel.catalog.environment.peek();
    const subject = panel.subjectOfAction(action.id);
    this.#environmentId = environment?.id ?? null;
    if (!environment || subject === null) {
      this.#over = null;
      return;
    }
    const of = { environmentId: environment.id, appId: action.appId };
    const { services } = panel;
    const ports = portsOf({
      of,
      actionId: action.id,
      firing: action,
      send: services.send,
      pageApi: services.pageApi,
      backend: () => panel.backendOf(of),
      target: () => targetOf(panel.page.state.peek(), of.appId, environment.namespace),
      journal: journalStore(services.store, subject),
    });
    this.#over = new SwitchOver(ports);
  }

  readonly load = (): Promise<void> =>
    this.#do('Refresh', async (over) => {
      await this.#look(over);
      const { action } = this.migrating;
      const of = { environmentId: this.#environmentId!, appId: action.appId };
      const logs = await this.#panel.backendOf(of).logs({ id: action.id, limit: LOG_LIMIT });
      this.logsError.value = logs.ok ? null : logs.error;
      if (logs.ok) this.logs.value = logs.value.logs;
    });

  readonly dismiss = (): void => {
    this.error.value = null;
  };

  /** Takes a step of the plan, once the user has confirmed what becomes live. */
  readonly take = async (step: PlanStep): Promise<void> => {
    if (step.id === 'calls')
      return this.#do(step.verb, async (over) => void this.#report(await over.setCallsMoved(true)));
    if (step.id === 'gap') return this.checkGap();
    await this.#ask(stepQuestion(step), step.verb, async (over) => {
      const draft = this.draft.peek();
      const result = step.id === 'draft' && draft ? await over.start(draft) : await over.forward(step.to!);
      if (this.#report(result) && step.id === 'switch') await this.#check(over);
    });
  };

  /** Removes the draft, which can’t run, and creates it with the code as it is now. Both are steps of the journal. */
  readonly updateDraft = async (): Promise<void> => {
    const { journal } = this.situation.peek() ?? {};
    const draft = this.draft.peek();
    if (!journal || !draft || this.cannotUpdate.peek() !== null) return;
    const { name } = journal.draft;
    await this.#ask(updateQuestion(name), UPDATE, async (over) => {
      this.#report(await over.replace({ ...draft, name }));
    });
  };

  /** Continues a step that was interrupted, in its direction. */
  readonly resume = async (): Promise<void> => {
    const journal = this.situation.peek()?.journal;
    if (!journal || journal.goal === null) return;
    if (nextOf(journal) !== journal.goal) return this.back();
    const step = this.plan.peek()?.steps.find(({ to }) => to === journal.goal);
    if (step) await this.take(step);
  };

  readonly back = async (): Promise<void> => {
    const step = this.undoable.peek();
    const journal = this.situation.peek()?.journal;
    if (!step || !journal) return;
    const to = previousOf(journal);
    await this.#ask(backQuestion(step), 'Go back', async (over) => {
      const result = await over.back(to);
      if (!this.#report(result)) return;
      if (result.ok && result.value.journal.position === 'none') await over.forget();
      if (result.ok && result.value.journal.gap) await this.#check(over);
    });
  };

  /** Ends a drift, as its notice says. */
  readonly settle = async (): Promise<void> => {
    const { drift, journal } = this.situation.peek() ?? {};
    if (!drift || !journal) return;
    await this.#ask(settleQuestion(drift, journal), SETTLE, async (over) => {
      const result = await over.settle(drift.to);
      if (this.#report(result) && result.ok && result.value.journal.gap) await this.#check(over);
    });
  };

  readonly checkGap = (): Promise<void> => this.#do('Check', (over) => this.#check(over));

  readonly handOver = async (item: GapItem): Promise<void> => {
    const { journal } = this.situation.peek() ?? {};
    const name = journal?.v3Live === 'full' ? journal.draft.name : this.migrating.action.name;
    await this.#ask(handOverQuestion(item, name), 'Run event', async (over) => {
      this.#report(await over.handOver(item.key, item.verdict === 'unsure' ? 'unsure' : 'missed'));
      await this.#check(over);
    });
  };

  readonly dismissGap = (): Promise<void> =>
    this.#do('Done', async (over) => {
      if (this.#report(await over.dismissGap())) this.gap.value = null;
    });

  async #check(over: SwitchOver): Promise<void> {
    const checked = await over.checkGap();
    if (checked.ok) this.gap.value = checked.value;
    else this.error.value = checked.error;
  }

  #report(result: Result<unknown>): boolean {
    if (!result.ok) this.error.value = result.error;
    return result.ok;
  }

  async #look(over: SwitchOver): Promise<void> {
    const found = await over.look();
    if (found.ok) this.situation.value = found.value;
    else this.error.value = found.error;
    this.isLoaded.value = found.ok;
  }

  async #ask(question: GuardQuestion, what: string, work: (over: SwitchOver) => Promise<void>): Promise<void> {
    await this.#panel.guard.allow(this.#environmentId, question, () => this.#do(what, work));
  }

  /** One after the other, also in other panels, and then shows what the platform has. */
  async #do(what: string, work: (over: SwitchOver) => Promise<void>): Promise<void> {
    const over = this.#over;
    if (!over || this.busy.peek() !== null) return;
    this.busy.value = what;
    this.error.value = null;
    try {
      await alone(`switch-over ${this.#environmentId} ${this.migrating.action.id}`, async () => {
        await work(over);
        if (what !== 'Refresh') await this.#look(over);
      });
      if (what !== 'Refresh') void this.#panel.catalog.refreshActions();
    } finally {
      this.busy.value = null;
    }
  }
}

/** Another panel can have the same action open. */
const alone = async (name: string, work: () => Promise<void>): Promise<void> => {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  await (locks ? locks.request(name, work) : work());
};
