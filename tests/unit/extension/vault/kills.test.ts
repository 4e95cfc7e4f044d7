/** Tests that a worker can be stopped anywhere: no token that was confirmed is lost, and none is shown while locked. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Vault } from '../../../../lib/extension/vault/index.ts';
import { writeSealedFile } from '../../../../lib/extension/vault/transfer.ts';
import { isExhaustive } from '../../../support/exhaustive.ts';
import type { KillableWorker } from './killable-worker.ts';
import { makeKillable } from './killable-worker.ts';
import type { TestSession } from './world.ts';
import { FEW, OTHER, PASSPHRASE, code, createSession, disk, draft, startWorker, without } from './world.ts';

const HOUR = 60 * 60_000;
let now: number;

beforeEach(() => {
  now = Date.parse('2026-03-01T10:00:00Z');
});
afterEach(() => vi.restoreAllMocks());

const FILE = { ...without, name: 'From a file', token: 'secret-token-of-the-file' };
const file = await writeSealedFile([FILE], OTHER, FEW);

/** The possible states: a step whose worker was killed may or may not have happened. */
interface Known {
  /** By environment ID; null means no token. */
  tokens: Map<string, Set<string | null>>;
  /** Null for no passphrase. */
  passphrases: Set<string | null>;
}

type Step =
  | {
      do:
        | 'add'
        | 'remove'
        | 'replace'
        | 'rename'
        | 'lock'
        | 'unlock'
        | 'protect'
        | 'change'
        | 'unprotect'
        | 'reset'
        | 'idle'
        | 'active'
        | 'export'
        | 'import';
    }
  | { do: 'wait'; minutes: number };
interface Happening {
  step: Step;
  /** Where its worker is stopped. */
  at: number | null;
  /** Whether the browser closes too. */
  closes: boolean;
}

const NAMES = [
  'add',
  'remove',
  'replace',
  'rename',
  'lock',
  'unlock',
  'protect',
  'change',
  'unprotect',
  'reset',
  'idle',
  'active',
  'export',
  'import',
] as const;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...NAMES).map((name) => ({ do: name })) },
  { weight: 1, arbitrary: fc.constantFrom(1, 4, 20).map((minutes) => ({ do: 'wait' as const, minutes })) },
);
const happening: fc.Arbitrary<Happening> = fc.record({
  step,
  at: fc.option(fc.nat(40), { freq: 3 }),
  closes: fc.boolean(),
});

class History {
  readonly session: TestSession = createSession();
  readonly killable: KillableWorker = makeKillable(this.session);
  readonly known: Known = { tokens: new Map(), passphrases: new Set([null]) };
  vault: Vault = startWorker(this.killable.session);
  made = 0;
  /** Whether each step is followed by a check of what is confirmed. */
  isChecking = true;

  /** Returns whether its worker was killed. */
  async happens({ step, at, closes }: Happening): Promise<boolean> {
    if (step.do === 'wait') {
      now += step.minutes * 60_000;
      await this.holds();
      return false;
    }
    const before = structuredClone(this.known);
    const [id] = this.known.tokens.keys();
    const passphrase = [...this.known.passphrases].at(-1) ?? PASSPHRASE;
    const next = passphrase === PASSPHRASE ? OTHER : PASSPHRASE;
    const token = `secret-token-${this.made++}-0123456789`;
    const { vault } = this;
    const works: Record<Exclude<Step['do'], 'wait'>, () => Promise<unknown>> = {
      add: async () =>
        this.known.tokens.set((await vault.save({ ...draft, name: token.slice(7), token })).id, new Set([token])),
      remove: async () => {
        if (!id) return;
        await vault.remove(id);
        this.known.tokens.delete(id);
      },
      replace: async () => {
        if (!id) return;
        await vault.save({ ...draft, id, token });
        this.known.tokens.set(id, new Set([token]));
      },
      rename: async () => id && vault.save({ ...without, id, name: 'Renamed' }),
      lock: () => vault.lock(),
      unlock: () => vault.unlock(passphrase),
      protect: async () => {
        await vault.protect(next, 15);
        this.known.passphrases = new Set([next]);
      },
      change: async () => {
        await vault.changePassphrase(passphrase, next);
        this.known.passphrases = new Set([next]);
      },
      unprotect: async () => {
        await vault.unprotect(passphrase);
        this.known.passphrases = new Set([null]);
      },
      reset: async () => {
        const wasOpen = this.known.passphrases.has(null);
        await vault.reset();
        if (wasOpen) return;
        this.known.passphrases = new Set([null]);
        for (const one of this.known.tokens.keys()) this.known.tokens.set(one, new Set([null]));
      },
      idle: () => vault.setIdle(5),
      active: () => vault.active(),
      export: () => vault.exportText(PASSPHRASE),
      import: () => vault.importText(file, OTHER),
    };
    const killed = await this.killable.run(works[step.do], at);
    if (!killed.stopped) {
      if (killed.outcome.status === 'rejected')
        expect((killed.outcome.reason as { code?: string }).code).toMatch(
          /^(VAULT_(LOCKED|PROTECTED|NOT_PROTECTED)|ENVIRONMENT_NOT_FOUND|TOKEN_MISSING)$/,
        );
      await this.holds();
      return false;
    }
    // An interrupted step may or may not have taken effect. Everything else is unchanged.
    if (id && step.do === 'replace') this.known.tokens.set(id, new Set([...before.tokens.get(id)!, token]));
    if (id && step.do === 'remove') this.known.tokens.delete(id);
    if (step.do === 'protect' && before.passphrases.has(null)) this.known.passphrases = new Set([null, next]);
    if (step.do === 'change' && !before.passphrases.has(null))
      this.known.passphrases = new Set([...before.passphrases, next]);
    if (step.do === 'unprotect') this.known.passphrases = new Set([...before.passphrases, null]);
    if (step.do === 'reset' && !before.passphrases.has(null)) {
      this.known.passphrases = new Set([...before.passphrases, null]);
      for (const [one, tokens] of before.tokens) this.known.tokens.set(one, new Set([...tokens, null]));
    }
    if (closes) await this.session.clear();
    this.vault = startWorker(this.killable.session);
    await this.settle();
    await this.holds();
    return true;
  }

  /** Finds out which interrupted steps took effect. */
  async settle(): Promise<void> {
    const { lock } = await this.vault.state();
    if (lock.kind === 'open') {
      expect(this.known.passphrases).toContain(null);
      this.known.passphrases = new Set([null]);
      return;
    }
    const expected = [...this.known.passphrases].filter((one) => one !== null);
    const right: string[] = [];
    for (const one of expected) {
      now += HOUR;
      const outcome = await code(this.vault.unlock(one));
      if (outcome === 'ok') right.push(one);
      else expect(outcome).toBe('PASSPHRASE_WRONG');
    }
    expect(right).toHaveLength(1);
    await this.vault.unlock(right[0]!);
    this.known.passphrases = new Set(right);
    for (const [id, tokens] of this.known.tokens)
      if (tokens.has(null) && tokens.size > 1)
        this.known.tokens.set(id, new Set([...tokens].filter((one) => one !== null)));
  }

  /** What is confirmed can be read when it is unlocked; nothing can when it is locked; nothing is readable on disk. */
  async holds(): Promise<void> {
    if (!this.isChecking) return;
    const { lock } = await this.vault.state();
    const list = await this.vault.list();
    // An import adds both or neither.
    for (const { id, name } of list)
      if (name === FILE.name && !this.known.tokens.has(id)) this.known.tokens.set(id, new Set([FILE.token]));
    for (const [id, tokens] of this.known.tokens) {
      const shown = list.find((one) => one.id === id);
      expect(shown).toBeDefined();
      const got = await this.vault.connection(id).then(
        ({ token }) => token,
        (error: { code: string }) => error.code,
      );
      if (lock.kind !== 'locked') expect([...tokens].map((one) => one ?? 'TOKEN_MISSING')).toContain(got);
      else expect(got).toBe(tokens.has(null) ? 'TOKEN_MISSING' : 'VAULT_LOCKED');
    }
    if (lock.kind === 'locked') {
      expect(list.every(({ maskedToken }) => maskedToken === null)).toBe(true);
      expect(this.session.text).toBe(null);
    }
    const stored = await disk();
    expect(stored).not.toContain('secret-token');
    expect(this.session.text ?? '').not.toContain('secret-token');
    for (const secret of [PASSPHRASE, OTHER]) expect(stored).not.toContain(secret);
  }
}

/**
 * Returns whether the last worker was killed.
 * @param known how many of the first happenings another history has checked
 */
async function lives(happenings: readonly Happening[], known = 0): Promise<boolean> {
  vi.restoreAllMocks();
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  globalThis.indexedDB = new IDBFactory();
  const history = new History();
  history.isChecking = known === 0;
  let isStopped = await history.happens({ step: { do: 'add' }, at: null, closes: false });
  for (const [index, one] of happenings.entries()) {
    history.isChecking = index >= known;
    isStopped = await history.happens(one);
  }
  return isStopped;
}

const STEPS = [
  'add',
  'remove',
  'replace',
  'rename',
  'protect',
  'change',
  'unprotect',
  'reset',
  'unlock',
  'import',
] as const;
/** These change no environment, and no passphrase. */
const OTHER_STEPS = ['lock', 'idle', 'active'] as const;

describe('a worker that is killed', () => {
  it.each([...STEPS, ...(isExhaustive() ? OTHER_STEPS : [])])(
    'at any step of %s loses nothing',
    async (name) => {
      const whole = (step: Step): Happening => ({ step, at: null, closes: false });
      const setup: Step[] =
        name === 'protect' || name === 'add' || name === 'replace'
          ? [{ do: 'add' }]
          : [{ do: 'add' }, { do: 'protect' }, { do: 'wait', minutes: 1 }];
      let at = 0;
      while (
        await lives(
          [...setup.map(whole), { step: { do: name }, at, closes: at % 2 === 0 }],
          at === 0 ? 0 : setup.length,
        )
      )
        at++;
      expect(at).toBeGreaterThan(0);
    },
    30_000,
  );

  it('repeatedly, between any steps, loses nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 2, maxLength: 10 }), (happenings) =>
        lives(happenings).then(() => {}),
      ),
      { numRuns: Number(process.env.KILLS ?? 10) },
    );
  });
});
