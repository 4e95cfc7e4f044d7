/**
 * Moves an action from V2 to V3 and back, so that never both fire. The journal is written before and after each request.
 * After a crash, what the platform says decides what’s next.
 */
import type { ErrorValue, Result } from '../../platform-api/coded-error.ts';
import { same } from '../../platform-api/where.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { type Drift, driftOf, liveVersions, unsureOf } from './drift.ts';
import * as errors from './errors.ts';
import { GapCheck } from './gap-check.ts';
import type { GapItem } from './gap.ts';
import { codeHash, isDraftOf, newJournal } from './journal.ts';
import {
  confirmed,
  firesItself,
  nextRequest,
  type Observed,
  sent,
  takesOff,
  v2LiveOf,
  v3LiveOf,
} from './next-request.ts';
import { isBeyond, nextOf, previousOf } from './positions.ts';
import { safeTime } from './schedule.ts';
import { send } from './send.ts';
import type { ChangeRequest, Draft, Journal, Ports, Position } from './types.ts';

/** What the platform has, and what the journal says about it. */
export interface Situation extends Observed {
  journal: Journal;
  drift: Drift | null;
}

type Failed = { ok: false; error: ErrorValue };

/** Methods never reject, and wait for one another. */
export class SwitchOver {
  readonly #ports: Ports;
  readonly #gaps: GapCheck;
  readonly #queue = new SerialQueue();

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#gaps = new GapCheck(ports);
  }

  /** Null if none has been started. Reads only. */
  look(): Promise<Result<Situation | null>> {
    return this.#alone<Situation | null>(async () => {
      const journal = await this.#ports.journal.read();
      return journal ? this.#observe(journal) : { ok: true, value: null };
    });
  }

  /** Creates the inactive draft. Takes over one that an earlier call created without learning about it. */
  start(draft: Draft): Promise<Result<Situation>> {
    return this.#alone(() => this.#start(draft));
  }

  /** Removes the draft, which can’t run, and creates it with other code. After a crash, *Go back* or `start` continues. */
  replace(draft: Draft): Promise<Result<Situation>> {
    return this.#alone(async () => {
      const back = await this.#go(previousOf, 'none');
      if (!back.ok) return back;
      await this.#ports.journal.write(null);
      return this.#start(draft);
    });
  }

  /**
   * Goes to the next position. From the middle of a step, to its later end.
   * @param to where the caller has seen it leads. Refused if someone else has moved on since.
   */
  forward(to?: Position): Promise<Result<Situation>> {
    return this.#alone(() => this.#go(nextOf, to));
  }

  /** Goes to the position before, with the same rule. From the middle of a step, to its earlier end. */
  back(to?: Position): Promise<Result<Situation>> {
    return this.#alone(() => this.#go(previousOf, to));
  }

  /** Ends a drift: takes over what others have reached, or makes the platform again as the journal says. */
  settle(to?: Position): Promise<Result<Situation>> {
    return this.#alone(async () => {
      const journal = await this.#ports.journal.read();
      if (!journal) return errors.movedOn();
      const found = await this.#observe(journal);
      if (!found.ok || !found.value.drift) return found;
      const { drift } = found.value;
      if (to !== undefined && to !== drift.to) return errors.movedOn();
      const unsure = { ...unsureOf(found.value.journal, found.value), goal: drift.to };
      await this.#ports.journal.write(unsure);
      return this.#move(unsure, drift.to, null);
    });
  }

  setCallsMoved(areCallsMoved: boolean): Promise<Result<null>> {
    return this.#note((journal) => ({ ...journal, areCallsMoved }));
  }

  /** Forgets a finished switch-over, or one that has gone back to the start. */
  forget(): Promise<Result<null>> {
    return this.#alone(async () => {
      await this.#ports.journal.write(null);
      return { ok: true, value: null };
    });
  }

  /** The events that happened while neither version was live for sure. Empty if there’s no gap. */
  checkGap(): Promise<Result<GapItem[]>> {
    return this.#alone(() => this.#gaps.check());
  }

  /** Gives one missed event to the live version. `unsure` also gives one of which the log doesn’t say enough. */
  handOver(key: string, allows: 'missed' | 'unsure' = 'missed'): Promise<Result<null>> {
    return this.#alone(() => this.#gaps.handOver(key, allows));
  }

  /** Ends the check of the gap. */
  dismissGap(): Promise<Result<null>> {
    return this.#note((journal) => ({ ...journal, gap: null, handed: [] }));
  }

  async #start(draft: Draft): Promise<Result<Situation>> {
    const known = await this.#ports.journal.read();
    if (known && known.position !== 'none') return errors.movedOn();
    if (known?.v3Id != null) return this.#move(known, 'draft', null);
    const [v2, taken] = await Promise.all([this.#ports.v2.read(), this.#ports.v3.findByName(draft.name)]);
    if (!v2.ok) return v2;
    if (!taken.ok) return taken;
    if (!v2.value) return errors.v2Gone();
    if (taken.value && !isDraftOf(taken.value, draft)) return errors.nameTaken(draft.name);
    const journal = newJournal(v2.value, draft);
    await this.#ports.journal.write(journal);
    return this.#move(journal, 'draft', draft);
  }

  async #go(way: typeof nextOf, to: Position | undefined): Promise<Result<Situation>> {
    const journal = await this.#ports.journal.read();
    if (!journal) return errors.movedOn();
    const target = way(journal);
    return to === undefined || to === target ? this.#move(journal, target, null) : errors.movedOn();
  }

  #note(change: (journal: Journal) => Journal): Promise<Result<null>> {
    return this.#alone(async () => {
      const journal = await this.#ports.journal.read();
      if (journal) await this.#ports.journal.write(change(journal));
      return { ok: true, value: null };
    });
  }

  /** Only the journal can throw. */
  #alone<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    return this.#queue.run(async () => {
      try {
        return await work();
      } catch (thrown) {
        return errors.journalFailed(thrown);
      }
    });
  }

  async #observe(journal: Journal): Promise<Result<Situation>> {
    const { draft, v3Id } = journal;
    const [v2, v3] = await Promise.all([
      this.#ports.v2.read(),
      v3Id === null ? this.#ports.v3.findByName(draft.name) : this.#ports.v3.read(v3Id),
    ]);
    if (!v2.ok) return v2;
    if (!v3.ok) return v3;
    const isOurs = v3.value !== null && (v3Id !== null || codeHash(v3.value.code) === draft.codeHash);
    const observed = { v2: v2.value, v3: isOurs ? v3.value : null };
    const seen: Journal = {
      ...journal,
      v3Id: observed.v3?.id ?? v3Id,
      v2Live: v2LiveOf(journal, observed.v2),
      v3Live: v3LiveOf(journal, observed.v3),
    };
    return { ok: true, value: { ...observed, journal: seen, drift: driftOf({ ...observed, journal: seen }) } };
  }

  async #move(from: Journal, target: Position, draft: Draft | null): Promise<Result<Situation>> {
    const found = await this.#observe(from);
    if (!found.ok) return found;
    const refusal = await this.#refusal(found.value, target, draft);
    if (refusal) return refusal;
    const opened = await this.#openGap(found.value);
    if (!opened.ok) return opened;
    let seen: Situation = { ...found.value, journal: { ...opened.value, goal: target } };
    await this.#ports.journal.write(seen.journal);
    const made = new Set<string>();
    for (;;) {
      const request = nextRequest(target, seen.journal, seen);
      if (!request) return this.#arrive(seen, target);
      const missing = missingFor(seen, target, draft);
      if (missing) return missing;
      // Each is needed once, unless others change the actions at the same time.
      if (made.has(request.to)) return this.#stop(seen);
      made.add(request.to);
      // What was published was complete before.
      if (request.to === 'v3.publish') made.add('v3.update');
      const step = await this.#step(seen.journal, seen, request, draft);
      if (!step.ok) return step;
      const next = await this.#observe(step.value.journal);
      if (!next.ok) return next;
      seen = next.value;
      // Someone else has changed an action since. Continuing could undo their step.
      const expected = nextRequest(target, step.value.journal, step.value);
      if (!same(expected, nextRequest(target, seen.journal, seen))) return this.#stop(seen);
    }
  }

  /** If others have taken off the live version, events have been missed since it was last known to be live. */
  async #openGap({ journal, v2, v3 }: Situation): Promise<Result<Journal>> {
    const isOpen = journal.gap !== null && journal.gap.toId === null;
    const isOff = firesItself(journal.draft) && liveVersions({ journal, v2, v3 }) === 'neither';
    return isOff && !isOpen ? this.#gaps.open(journal, journal.liveAt) : { ok: true, value: journal };
  }

  async #stop(seen: Situation): Promise<Failed> {
    await this.#ports.journal.write(unsureOf(seen.journal, seen));
    return errors.changedByOthers();
  }

  /** One request between two entries of the journal. */
  async #step(
    before: Journal,
    observed: Observed,
    request: ChangeRequest,
    draft: Draft | null,
  ): Promise<Result<Observed & { journal: Journal }>> {
    const isOff = takesOff(before, request);
    const opened = isOff ? await this.#gaps.open(before) : { ok: true as const, value: before };
    if (!opened.ok) return opened;
    await this.#ports.journal.write(sent(opened.value, request));
    const outcome = await send(this.#ports, request, observed, opened.value, draft);
    if (!outcome.ok) {
      if (outcome.error.code !== 'OUTCOME_UNKNOWN') await this.#ports.journal.write(opened.value);
      return outcome;
    }
    let journal = confirmed(opened.value, request, outcome.value.v3);
    if (isOff && journal.gap) journal = { ...journal, gap: { ...journal.gap, offAt: this.#ports.now() } };
    await this.#ports.journal.write(journal);
    return { ok: true, value: { ...outcome.value, journal } };
  }

  async #arrive(found: Situation, target: Position): Promise<Result<Situation>> {
    const closed = await this.#gaps.close(found.journal);
    if (!closed.ok) return closed;
    const isReset = target === 'none' || target === 'draft';
    const arrived: Journal = {
      ...closed.value,
      position: found.v3 === null && target !== 'none' ? 'none' : target,
      goal: null,
      pending: null,
      v3Id: found.v3?.id ?? null,
      ...(isReset && { areCallsMoved: false }),
    };
    await this.#ports.journal.write(arrived);
    return { ok: true, value: { ...found, journal: arrived, drift: driftOf({ ...found, journal: arrived }) } };
  }

  /** Why the way to a position can’t start or continue. */
  async #refusal(situation: Situation, target: Position, draft: Draft | null): Promise<Failed | null> {
    const missing = missingFor(situation, target, draft);
    if (missing) return missing;
    const { journal, v2, v3, drift } = situation;
    if (drift && v3 && journal.v3Id !== null && journal.position !== 'none') return errors.drifted();
    // Once V2 is off, waiting only makes the gap longer. While both are live, it makes more events run twice.
    const isAlone = v2LiveOf(journal, v2) === 'on' && v3LiveOf(journal, v3) !== 'full';
    if (target !== 'switched' || !v2 || !isAlone) return null;
    if (v2.edits && v2.edits.length > 0) return errors.v2Edited(v2.edits);
    if (!firesItself(journal.draft)) return null;
    const now = await this.#ports.logs.now();
    if (!now.ok) return now;
    const safe = safeTime(journal.draft, now.value);
    return safe > now.value ? errors.scheduleNear(safe) : null;
  }
}

/** Going back works with what is left. */
function missingFor({ journal, v2, v3 }: Situation, target: Position, draft: Draft | null): Failed | null {
  // V3 is the only one left, so taking its triggers off would lose all events.
  const isLast = v2 === null && v3LiveOf(journal, v3) !== 'off' && isBeyond('switched', target);
  if (isLast && firesItself(journal.draft) && isBeyond(journal.position, 'answering')) return errors.v2Gone();
  if (!isBeyond(target, journal.position)) return null;
  if (!v3 && !(target === 'draft' && draft)) return errors.v3Gone();
  return v2 || target === 'removed' ? null : errors.v2Gone();
}
