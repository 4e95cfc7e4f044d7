/** Proves V3 code in the inspected page. */
import { parseRecording } from '../../../debugging/recording/file/parse.ts';
import type { Recording } from '../../../debugging/recording/format.ts';
import type { Comparison, Proof, Strength } from '../../../migrate/index.ts';
import { instrument } from '../../../migrate/proof/instrument.ts';
import { whyNotRepeated } from '../../../migrate/proof/aside.ts';
import { proofOf } from '../../../migrate/proof/prove.ts';
import { someMutants } from '../../../migrate/proof/strength.ts';
import { CodedError, toErrorValue } from '../../../platform-api/coded-error.ts';
import type { Result } from '../../../platform-api/errors.ts';
import { embed, type Embedded } from '../../inspector/migrate/embed.ts';
import type { PageCode } from '../../inspector/migrate/page-code.ts';
import { ProverSession, type SessionOptions } from '../../inspector/migrate/prover-session.ts';
import type { OfApp } from '../../messaging/protocol.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { createPauses } from '../shared/pauses.ts';
import type { Panel } from '../shell/panel.ts';
import { isPageOfApp } from '../shell/page/page-of-app.ts';
import { registryKey } from '../shell/registry.ts';
import type { Prover, ProofTask, ProverOptions } from './prover.ts';

const PROVERS = registryKey<(of: OfApp) => Prover>('prover');
const CODE = 'code';
/** Checking many wrong versions takes long. They’re sent and tried in groups. */
const GROUP = 50;

type Unknown = Comparison['unknown'][number];

/** The page has one proof at a time, of any app. */
export const proverOf = (panel: Panel, of: OfApp): Prover =>
  panel.registry.get(PROVERS, () => {
    const queue = new SerialQueue();
    return (one) =>
      new PageProver(panel.services.pageCode, { isAllowed: (url) => isPageOfApp(panel, one, url), queue });
  })(of);

/** Why the tab has no page that can run the code; null if it has one. Reads signals. */
export function whyNoPage(panel: Pick<Panel, 'page' | 'catalog'>, of: OfApp): string | null {
  const { state, lost } = panel.page;
  if (lost.value?.code === 'PAGE_BUSY') return 'Resume or reload the page: it’s busy';
  const isThere = state.value !== null && lost.value === null && isPageOfApp(panel, of, state.value.url);
  return isThere ? null : 'Open a page of this app in the tab: the code is compared there';
}

export interface PageProverOptions extends Pick<SessionOptions, 'isAllowed' | 'resultLimit'> {
  queue?: SerialQueue;
}

export class PageProver implements Prover {
  readonly #page: PageCode;
  readonly #options: PageProverOptions;
  readonly #queue: SerialQueue;

  constructor(page: PageCode, { queue = new SerialQueue(), ...options }: PageProverOptions) {
    this.#page = page;
    this.#options = options;
    this.#queue = queue;
  }

  prove(task: ProofTask, { onProgress, signal }: ProverOptions = {}): Promise<Result<Proof>> {
    return this.#inSession(task, signal, async (session, code) => {
      const { repeated, reasons } = await repeatable(task.recordings);
      const { generated = [] } = task;
      const job = await prepared(session, task, [...repeated, ...generated.map(({ recording }) => recording)]);
      await session.add([{ id: CODE, code }]);
      const [total, before] = [reasons.length + generated.length, reasons.length - repeated.length];
      let done = before;
      onProgress?.(done, total);
      const compared = await session.compare(
        { ...job, codes: [CODE] },
        { onResults: ({ length }) => onProgress?.((done += length), total) },
      );
      const comparisons = reasons.map((reason) => (reason ? notCompared(reason) : (compared.shift() as Comparison)));
      return proofOf(task.steps, task.functions, task.recordings, [...comparisons, ...compared], generated);
    });
  }

  strength(task: ProofTask, { onProgress, signal }: ProverOptions = {}): Promise<Result<Strength>> {
    return this.#inSession(task, signal, async (session) => {
      const mutants = someMutants(task.code, mutantLimit(task.code));
      const { repeated } = await repeatable(task.recordings);
      const generated = (task.generated ?? []).map(({ recording }) => recording);
      const job = await prepared(session, task, [...repeated, ...generated]);
      const missed: Strength['missed'] = [];
      onProgress?.(0, mutants.length);
      for (let from = 0; from < mutants.length; from += GROUP) {
        const group = mutants.slice(from, from + GROUP).map((mutant, index) => ({ ...mutant, id: `${from + index}` }));
        const valid = await embeddable(group);
        await session.add(valid);
        let done = from;
        const onResults = ({ length }: readonly boolean[]): void => onProgress?.((done += length), mutants.length);
        const found = await session.find({ ...job, codes: valid.map(({ id }) => id) }, { onResults });
        valid.forEach(({ id: _id, code: _code, ...mutant }, index) => {
          if (!found[index]) missed.push(mutant);
        });
      }
      onProgress?.(mutants.length, mutants.length);
      return { caught: mutants.length - missed.length, total: mutants.length, missed };
    });
  }

  record(task: ProofTask, index: number): Promise<Result<Recording>> {
    return this.#inSession(task, undefined, async (session, code) => {
      const job = await prepared(session, task, task.recordings.slice(index, index + 1));
      await session.add([{ id: CODE, code }]);
      const parsed = parseRecording(await session.record({ ...job, codes: [CODE] }));
      if (!parsed.ok) throw new CodedError(parsed.error);
      return parsed.value;
    });
  }

  #inSession<T>(
    { code }: ProofTask,
    signal: AbortSignal | undefined,
    use: (session: ProverSession, code: Embedded) => Promise<T>,
  ): Promise<Result<T>> {
    return this.#queue.run(async (): Promise<Result<T>> => {
      const written = embed(code);
      const embedded = written.ok ? embed(instrument(code)) : written;
      if (!embedded.ok) return embedded;
      let session: ProverSession | null = null;
      try {
        session = await ProverSession.open(this.#page, { ...this.#options, signal });
        return { ok: true, value: await use(session, embedded.value) };
      } catch (thrown) {
        return { ok: false, error: toErrorValue(thrown) };
      } finally {
        await session?.close();
      }
    });
  }
}

/** The recordings that V2 would repeat. Others prove nothing. */
async function repeatable(
  recordings: readonly Recording[],
): Promise<{ repeated: Recording[]; reasons: (Unknown | null)[] }> {
  const pauses = createPauses();
  const reasons: (Unknown | null)[] = [];
  for (const recording of recordings) {
    await pauses.pauseIfDue();
    reasons.push(await whyNotRepeated(recording));
  }
  return { repeated: recordings.filter((_, index) => reasons[index] === null), reasons };
}

async function prepared(session: ProverSession, { dataSources }: ProofTask, repeated: readonly Recording[]) {
  for (const recording of repeated) await session.addRecording(recording);
  return { recordings: repeated.map((_, index) => index), dataSources: [...dataSources] };
}

/** Of very long code, fewer wrong versions are tried: each is parsed as a whole. */
const mutantLimit = ({ length }: string): number => Math.max(20, Math.min(500, Math.floor(10_000_000 / length)));

const notCompared = (reason: Unknown): Comparison => ({ differences: [], unknown: [reason], steps: 0, isWhole: false });

/** Code that isn’t valid runs nowhere, so every run finds it. */
async function embeddable<M extends { code: string }>(mutants: readonly M[]): Promise<(M & { code: Embedded })[]> {
  const pauses = createPauses();
  const valid: (M & { code: Embedded })[] = [];
  for (const mutant of mutants) {
    await pauses.pauseIfDue();
    const embedded = embed(instrument(mutant.code));
    if (embedded.ok) valid.push({ ...mutant, code: embedded.value });
  }
  return valid;
}
