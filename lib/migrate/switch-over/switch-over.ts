/**
 * Moves an action from V2 to V3 and back, so that never both fire. The journal is written before and after each request.
 * After a crash, what the platform says decides what’s next.
 */
import type { ErrorValue, Result } from '../../platform-api/coded-error.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import * as errors from './errors.ts';
import { GapCheck } from './gap-check.ts';
import type { GapItem } from './gap.ts';
import { codeHash, isDraftOf, newJournal } from './journal.ts';
import {
  confirmed,
  contentOf,
  firesItself,
  nextRequest,
  type Observed,
  sent,
  v2LiveOf,
  v3LiveOf,
} from './next-request.ts';
import { safeTime } from './schedule.ts';
import { type ChangeRequest, type Draft, type Journal, type Ports, type Position, POSITIONS } from './types.ts';

/** What the platform has, and what the journal says about it. */
export interface Situation extends Observed {
  journal: Journal;
}

/** More than any way needs, unless others change the actions at the same time. */
const MAX_REQUESTS = 10;

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
    return this.#alone(async () => {
      const known = await this.#ports.journal.read();
      if (known?.v3Id != null) return this.#move(known, 'draft', null);
      const [v2, taken] = await Promise.all([this.#ports.v2.read(), this.#ports.v3.findByName(draft.name)]);
      if (!v2.ok) return v2;
      if (!taken.ok) return taken;
      if (!v2.value) return errors.v2Gone();
      if (taken.value && !isDraftOf(taken.value, draft)) return errors.nameTaken(draft.name);
      const journal = newJournal(v2.value, draft);
      await this.#ports.journal.write(journal);
      return this.#move(journal, 'draft', draft);
    });
  }

  /** Goes to the next position. From the middle of a step, to its later end. */
  forward(): Promise<Result<Situation>> {
    return this.#alone(async () => {
      const journal = await this.#ports.journal.read();
      if (!journal) return errors.v2Gone();
      return this.#move(journal, nextOf(journal), null);
    });
  }

  /** Goes to the position before. From the middle of a step, to its earlier end. */
  back(): Promise<Result<Situation>> {
    return this.#alone(async () => {
      const journal = await this.#ports.journal.read();
      if (!journal) return errors.v2Gone();
      return this.#move(journal, previousOf(journal), null);
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
    return { ok: true, value: { ...observed, journal: seen } };
  }

  async #move(from: Journal, target: Position, draft: Draft | null): Promise<Result<Situation>> {
    const found = await this.#observe(from);
    if (!found.ok) return found;
    const refusal = await this.#refusal(found.value, target, draft);
    if (refusal) return refusal;
    let { journal } = found.value;
    let observed: Observed = found.value;
    await this.#ports.journal.write((journal = { ...journal, goal: target }));
    for (let count = 0; ; count++) {
      const request = nextRequest(target, journal, observed);
      if (!request) break;
      if (count === MAX_REQUESTS) return errors.changedByOthers();
      const step = await this.#step(journal, observed, request, draft);
      if (!step.ok) return step;
      ({ journal, ...observed } = step.value);
    }
    return this.#arrive(journal, target);
  }

  /** One request between two entries of the journal. */
  async #step(
    before: Journal,
    observed: Observed,
    request: ChangeRequest,
    draft: Draft | null,
  ): Promise<Result<Situation>> {
    const isOff = takesOff(before, request);
    const opened = isOff ? await this.#gaps.open(before) : { ok: true as const, value: before };
    if (!opened.ok) return opened;
    await this.#ports.journal.write(sent(opened.value, request));
    const outcome = await this.#send(request, observed, opened.value, draft);
    if (!outcome.ok) {
      if (outcome.error.code !== 'OUTCOME_UNKNOWN') await this.#ports.journal.write(opened.value);
      return outcome;
    }
    let journal = confirmed(opened.value, request, outcome.value.v3);
    if (isOff && journal.gap) journal = { ...journal, gap: { ...journal.gap, offAt: this.#ports.now() } };
    await this.#ports.journal.write(journal);
    return { ok: true, value: { ...outcome.value, journal } };
  }

  /** Reads both versions once more, since others can have changed them. */
  async #arrive(journal: Journal, target: Position): Promise<Result<Situation>> {
    const found = await this.#observe(journal);
    if (!found.ok) return found;
    if (nextRequest(target, found.value.journal, found.value) !== null) return errors.changedByOthers();
    const closed = await this.#gaps.close(found.value.journal);
    if (!closed.ok) return closed;
    const isReset = target === 'none' || target === 'draft';
    const arrived: Journal = {
      ...closed.value,
      position: found.value.v3 === null && target !== 'none' ? 'none' : target,
      goal: null,
      pending: null,
      ...(isReset && { areCallsMoved: false }),
    };
    await this.#ports.journal.write(arrived);
    return { ok: true, value: { ...found.value, journal: arrived } };
  }

  /** Why the way to a position can’t start, or go on. */
  async #refusal(situation: Situation, target: Position, draft: Draft | null): Promise<Failed | null> {
    const missing = missingFor(situation, target, draft);
    if (missing) return missing;
    const { journal, v2 } = situation;
    // Once V2 is off, waiting only makes the gap longer.
    if (target !== 'switched' || !v2 || v2LiveOf(journal, v2) !== 'on') return null;
    if (v2.edits && v2.edits.length > 0) return errors.v2Edited(v2.edits);
    if (!firesItself(journal.draft)) return null;
    const now = await this.#ports.logs.now();
    if (!now.ok) return now;
    const safe = safeTime(journal.draft, now.value);
    return safe > now.value ? errors.scheduleNear(safe) : null;
  }

  async #send(
    request: ChangeRequest,
    { v2, v3 }: Observed,
    journal: Journal,
    draft: Draft | null,
  ): Promise<Result<Observed>> {
    const ports = this.#ports;
    if (request.to === 'v3.create') {
      if (!draft) return errors.v3Gone();
      return mapped(await ports.v3.create(draft), (created) => ({ v2, v3: created }));
    }
    if (request.to.startsWith('v2.')) {
      if (!v2) return errors.v2Gone();
      if (request.to === 'v2.update')
        return mapped(await ports.v2.setActive(v2, request.active), (updated) => ({ v2: updated, v3 }));
      if (request.to === 'v2.remove') return mapped(await ports.v2.remove(v2), () => ({ v2: null, v3 }));
      const isLive = request.to === 'v2.publish';
      const outcome = await ports.v2.publish(v2, isLive);
      return mapped(outcome, () => ({ v2: { ...v2, ...(v2.isLive !== undefined && { isLive }) }, v3 }));
    }
    if (!v3) return errors.v3Gone();
    if (request.to === 'v3.update')
      return mapped(await ports.v3.update(v3, contentOf(journal.draft, request.content)), (updated) => ({
        v2,
        v3: updated,
      }));
    if (request.to === 'v3.remove') return mapped(await ports.v3.remove(v3), () => ({ v2, v3: null }));
    if (request.to === 'v3.publish') return mapped(await ports.v3.publish(v3), (published) => ({ v2, v3: published }));
    const outcome = await ports.v3.unpublish(v3);
    return mapped(outcome, () => ({ v2, v3: { ...v3, ...(v3.live !== undefined && { live: null }) } }));
  }
}

const isBeyond = (one: Position, other: Position): boolean => POSITIONS.indexOf(one) > POSITIONS.indexOf(other);

type Place = Pick<Journal, 'position' | 'goal'>;

/** The position that the next step leads to. */
export function nextOf({ position, goal }: Place): Position {
  const [here, there] = [POSITIONS.indexOf(position), goal === null ? -1 : POSITIONS.indexOf(goal)];
  return POSITIONS[there === -1 ? Math.min(here + 1, POSITIONS.length - 1) : Math.max(here, there)]!;
}

/** The position that *Go back* leads to. */
export function previousOf({ position, goal }: Place): Position {
  const [here, there] = [POSITIONS.indexOf(position), goal === null ? -1 : POSITIONS.indexOf(goal)];
  return POSITIONS[there === -1 ? Math.max(here - 1, 0) : Math.min(here, there)]!;
}

/** Going back works with what is left. */
function missingFor({ journal, v2, v3 }: Situation, target: Position, draft: Draft | null): Failed | null {
  if (!isBeyond(target, journal.position)) return null;
  if (!v3 && !(target === 'draft' && draft)) return errors.v3Gone();
  return v2 || target === 'removed' ? null : errors.v2Gone();
}

/** Whether events can find neither version live from this request on. */
function takesOff(journal: Journal, request: ChangeRequest): boolean {
  if (!firesItself(journal.draft)) return false;
  if (request.to === 'v2.unpublish') return true;
  const isOfV3 = request.to === 'v3.publish' || request.to === 'v3.unpublish';
  return isOfV3 && journal.goal !== 'switched' && (journal.v3Live === 'full' || journal.v3Live === 'unknown');
}

const mapped = <T, U>(result: Result<T>, map: (value: T) => U): Result<U> =>
  result.ok ? { ok: true, value: map(result.value) } : result;
