/** Checks which events of a gap were missed, and gives them to the live version, each at most once. */
import type { Result } from '../../platform-api/coded-error.ts';
import type { LogRecord } from '../../platform-api/log.ts';
import * as errors from './errors.ts';
import { type GapItem, judgeGap, payloadOf, receiverOf } from './gap.ts';
import { firesItself, quietFiring } from './next-request.ts';
import type { Gap, Handed, Journal, Ports } from './types.ts';

export class GapCheck {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * Starts a gap before a version is taken off. An earlier one that hasn’t been checked continues.
   * @param since what is known about the start, if a version is off already
   */
  async open(journal: Journal, since: Journal['liveAt'] = null): Promise<Result<Journal>> {
    if (journal.gap) {
      const gap: Gap = { ...journal.gap, toId: null, to: null, offAt: null };
      return { ok: true, value: { ...journal, gap } };
    }
    const marked = since ? { ok: true as const, value: since } : await this.#mark();
    if (!marked.ok) return marked;
    const { id, time } = marked.value;
    const gap = { afterId: id, toId: null, from: time, to: null, offAt: null, lastRunId: id, lastRunAt: null };
    return { ok: true, value: { ...journal, gap } };
  }

  /** Ends the gap once a version is live again, and remembers that one was live by now. */
  async close(journal: Journal): Promise<Result<Journal>> {
    const { gap } = journal;
    if (!firesItself(journal.draft) || receiverOf(journal) === null) return { ok: true, value: journal };
    const marked = await this.#mark();
    if (!marked.ok) return marked;
    const { id, time } = marked.value;
    const live: Journal = { ...journal, liveAt: { id, time } };
    if (!gap || gap.toId !== null) return { ok: true, value: live };
    // After a crash, nothing is known about when the version was taken off.
    const offAt = gap.offAt ?? this.#ports.now();
    return { ok: true, value: { ...live, gap: { ...gap, offAt, toId: id, to: time } } };
  }

  async check(): Promise<Result<GapItem[]>> {
    const journal = await this.#ports.journal.read();
    if (!journal?.gap) return { ok: true, value: [] };
    const { gap, draft, handed } = journal;
    const [events, runs, time] = await Promise.all([
      this.#events(journal),
      this.#runs(journal),
      this.#ports.logs.now(),
    ]);
    if (!events.ok) return events;
    if (!runs.ok) return runs;
    if (!time.ok) return time;
    const now = this.#ports.now();
    const seen = { ...gap, ...lastRun(journal, runs.value, now) };
    if (seen.lastRunId !== gap.lastRunId) await this.#ports.journal.write({ ...journal, gap: seen });
    const { namesEvents } = this.#ports.logs;
    const all = [...runs.value.v2, ...runs.value.v3];
    const facts = { gap: seen, firing: draft, handed, events: events.value, runs: all, namesEvents, now };
    return { ok: true, value: judgeGap({ ...facts, platformNow: time.value }) };
  }

  async handOver(key: string, allows: 'missed' | 'unsure'): Promise<Result<null>> {
    const checked = await this.check();
    if (!checked.ok) return checked;
    const item = checked.value.find((each) => each.key === key);
    if (!item || (item.verdict !== 'missed' && item.verdict !== allows)) return errors.notMissed();
    const journal = await this.#ports.journal.read();
    const to = journal && receiverOf(journal);
    if (!journal || !to || quietFiring(journal.draft).triggers.length === 0) return errors.noReceiver();
    const newest = await this.#ports.logs.newestId();
    if (!newest.ok) return newest;
    const handed: Handed = { key, to, state: 'sending', at: this.#ports.now(), afterId: newest.value };
    const others = journal.handed.filter((each) => each.key !== key);
    await this.#ports.journal.write({ ...journal, handed: [...others, handed] });
    const payload = payloadOf(item, to);
    const run = to === 'v2' ? this.#ports.v2.run(payload) : this.#ports.v3.run(journal.v3Id!, payload);
    const outcome = await run;
    if (outcome.ok) await this.#ports.journal.write({ ...journal, handed: [...others, { ...handed, state: 'sent' }] });
    else if (outcome.error.code !== 'OUTCOME_UNKNOWN') await this.#ports.journal.write({ ...journal, handed: others });
    return outcome;
  }

  async #mark(): Promise<Result<{ id: number; time: number }>> {
    const [id, time] = await Promise.all([this.#ports.logs.newestId(), this.#ports.logs.now()]);
    if (!id.ok) return id;
    return time.ok ? { ok: true, value: { id: id.value, time: time.value } } : time;
  }

  /** Each matching record once. */
  async #events({ draft, gap }: Journal): Promise<Result<LogRecord[]>> {
    const found = new Map<number, LogRecord>();
    for (const { trigger, where = {} } of draft.triggers) {
      if (trigger !== 'log') continue;
      const matching = await this.#ports.logs.matching(where, gap!.afterId);
      if (!matching.ok) return matching;
      for (const record of matching.value) found.set(record.id, record);
    }
    return { ok: true, value: [...found.values()] };
  }

  async #runs({ v2, v3Id, gap }: Journal): Promise<Result<Record<'v2' | 'v3', LogRecord[]>>> {
    const runsOfV2 = await this.#ports.logs.runsOf({ id: v2.id, version: 'v2' }, gap!.afterId);
    if (!runsOfV2.ok) return runsOfV2;
    if (v3Id === null) return { ok: true, value: { v2: runsOfV2.value, v3: [] } };
    const runsOfV3 = await this.#ports.logs.runsOf({ id: v3Id, version: 'v3' }, gap!.afterId);
    return runsOfV3.ok ? { ok: true, value: { v2: runsOfV2.value, v3: runsOfV3.value } } : runsOfV3;
  }
}

/** The newest run of the version that was taken off, if it’s new. Calls don’t count: they go on. */
function lastRun(
  journal: Journal,
  runs: Record<'v2' | 'v3', readonly LogRecord[]>,
  now: number,
): Pick<Gap, 'lastRunId' | 'lastRunAt'> {
  const { lastRunId, lastRunAt } = journal.gap!;
  const ofOther = receiverOf(journal) === 'v2' ? runs.v3 : runs.v2;
  const fired = ofOther.filter(({ data }) => data['mode'] === 'scheduled');
  const newest = Math.max(lastRunId, ...fired.map(({ id }) => id));
  return newest > lastRunId ? { lastRunId: newest, lastRunAt: now } : { lastRunId, lastRunAt };
}
