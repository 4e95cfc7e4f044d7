/**
 * Remembers the last debug page and the names of actions of apps whose actions only their pages list, so that an action
 * can be opened by name while none of those pages is open.
 */
import { computed, signal } from '@preact/signals';
import * as v from 'valibot';
import { readStored, writeStored, type StringStorage } from '../../../../shared/stored-value.ts';
import type { OfApp } from '../../../messaging/protocol.ts';

const KEY = 'platform-devtools.seen-actions';
const MAX_APPS = 20;
const MAX_ACTIONS = 300;

/** Stored as JSON; don't rename its fields. */
const SeenApp = v.object({
  environmentId: v.string(),
  appId: v.number(),
  /** The action whose debug page was open last. */
  taskId: v.nullable(v.number()),
  actions: v.array(v.object({ id: v.number(), name: v.string() })),
  /** When the actions were listed, in epoch milliseconds. Earlier versions didn't store it. */
  readAt: v.optional(v.number()),
});
export type SeenApp = v.InferOutput<typeof SeenApp>;

export class SeenApps {
  readonly #memory: StringStorage;
  /** The newest app first. */
  readonly #apps = signal<readonly SeenApp[]>([]);
  readonly apps = computed(() => this.#apps.value);

  constructor(memory: StringStorage) {
    this.#memory = memory;
    this.#apps.value = parse(readStored(memory, KEY));
  }

  of({ environmentId, appId }: OfApp): SeenApp | null {
    return this.#apps.value.find((app) => app.environmentId === environmentId && app.appId === appId) ?? null;
  }

  noteActions(of: OfApp, actions: readonly { id: number; name: string }[]): void {
    const listed = actions.slice(0, MAX_ACTIONS).map(({ id, name }) => ({ id, name }));
    this.#note(of, { actions: listed, readAt: Date.now() });
  }

  noteDebugPage(of: OfApp, taskId: number): void {
    if (this.of(of)?.taskId !== taskId) this.#note(of, { taskId });
  }

  /** Forgets apps of other environments, which were removed. */
  keepOnly(environmentIds: readonly string[]): void {
    const kept = this.#apps.peek().filter(({ environmentId }) => environmentIds.includes(environmentId));
    if (kept.length < this.#apps.peek().length) this.#write(kept);
  }

  #note({ environmentId, appId }: OfApp, change: Partial<SeenApp>): void {
    const known = this.of({ environmentId, appId });
    const app = { environmentId, appId, taskId: null, actions: [], ...known, ...change };
    this.#write([app, ...this.#apps.peek().filter((one) => one !== known)].slice(0, MAX_APPS));
  }

  #write(apps: readonly SeenApp[]): void {
    this.#apps.value = apps;
    writeStored(this.#memory, KEY, JSON.stringify(apps));
  }
}

function parse(text: string | null): SeenApp[] {
  try {
    const parsed = v.safeParse(v.array(SeenApp), JSON.parse(text ?? '[]'));
    return parsed.success ? parsed.output : [];
  } catch {
    return [];
  }
}
