/** Tests that a worker can be stopped anywhere: no token that was confirmed is lost, and none is shown while locked. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Vault } from '../../../../lib/extension/vault/index.ts';
import { writeSealedFile } from '../../../../lib/extension/vault/transfer.ts';
import { casesOf, isExhaustive } from '../../../support/exhaustive.ts';
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

interface Known {
  /** By environment ID; null means no token. */
  tokens: Map<string, string | null>;
  /** Null for no passphrase. */
  passphrase: string | null;
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
  readonly known: Known = { tokens: new Map(), passphrase: null };
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
    const before: Known = { ...this.known, tokens: new Map(this.known.tokens) };
    const [id] = this.known.tokens.keys();
    const passphrase = this.known.passphrase ?? PASSPHRASE;
    const next = passphrase === PASSPHRASE ? OTHER : PASSPHRASE;
    const token = `secret-token-${this.made++}-0123456789`;
    const { vault } = this;
    const works: Record<Exclude<Step['do'], 'wait'>, () => Promise<unknown>> = {
      add: async () => this.known.tokens.set((await vault.save({ ...draft, name: token.slice(7), token })).id, token),
      remove: async () => {
        if (!id) return;
        await vault.remove(id);
        this.known.tokens.delete(id);
      },
      replace: async () => {
        if (!id) return;
        await vault.save({ ...draft, id, token });
        this.known.tokens.set(id, token);
      },
      rename: async () => id && vault.save({ ...without, id, name: 'Renamed' }),
      lock: () => vault.lock(),
      unlock: () => vault.unlock(passphrase),
      protect: async () => {
        await vault.protect(next, 15);
        this.known.passphrase = next;
      },
      change: async () => {
        await vault.changePassphrase(passphrase, next);
        this.known.passphrase = next;
      },
      unprotect: async () => {
        await vault.unprotect(passphrase);
        this.known.passphrase = null;
      },
      reset: async () => {
        await vault.reset();
        if (this.known.passphrase !== null) this.wasReset();
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
    if (closes) await this.session.clear();
    this.vault = startWorker(this.killable.session);
    this.known.passphrase = await this.passphraseAfter(step.do, before.passphrase, next);
    this.known.tokens = before.tokens;
    const wasReset = step.do === 'reset' && before.passphrase !== null && this.known.passphrase === null;
    if (wasReset) this.wasReset();
    if (id && step.do === 'replace') {
      const stored = await this.stored(id);
      if (stored === token) this.known.tokens.set(id, token);
    }
    if (id && step.do === 'remove' && !(await this.vault.list()).some((one) => one.id === id))
      this.known.tokens.delete(id);
    await this.holds();
    return true;
  }

  /** A reset removes the passphrase and all tokens. */
  wasReset(): void {
    this.known.passphrase = null;
    for (const id of this.known.tokens.keys()) this.known.tokens.set(id, null);
  }

  /** Unlocks. Returns the passphrase after an interrupted step that may or may not have taken effect. */
  async passphraseAfter(step: Step['do'], before: string | null, next: string): Promise<string | null> {
    const possible = new Set([before]);
    if (step === 'protect' && before === null) possible.add(next);
    if (step === 'change' && before !== null) possible.add(next);
    if (step === 'unprotect' || step === 'reset') possible.add(null);
    const { lock } = await this.vault.state();
    if (lock.kind === 'open') {
      expect(possible).toContain(null);
      return null;
    }
    const right: string[] = [];
    for (const one of possible) {
      if (one === null) continue;
      now += HOUR;
      const outcome = await code(this.vault.unlock(one));
      if (outcome === 'ok') right.push(one);
      else expect(outcome).toBe('PASSPHRASE_WRONG');
    }
    expect(right).toHaveLength(1);
    await this.vault.unlock(right[0]!);
    return right[0]!;
  }

  /** The token, or the code of the reason why it can’t be read. */
  stored(id: string): Promise<string> {
    return this.vault.connection(id).then(
      ({ token }) => token,
      (error: { code: string }) => error.code,
    );
  }

  /** What is confirmed can be read when it is unlocked; nothing can when it is locked; nothing is readable on disk. */
  async holds(): Promise<void> {
    if (!this.isChecking) return;
    const { lock } = await this.vault.state();
    const list = await this.vault.list();
    // An import adds both or neither.
    for (const { id, name } of list)
      if (name === FILE.name && !this.known.tokens.has(id)) this.known.tokens.set(id, FILE.token);
    for (const [id, token] of this.known.tokens) {
      const shown = list.find((one) => one.id === id);
      expect(shown).toBeDefined();
      const expected = token === null ? 'TOKEN_MISSING' : lock.kind === 'locked' ? 'VAULT_LOCKED' : token;
      expect(await this.stored(id)).toBe(expected);
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
      casesOf(10, 300),
    );
  });
});
