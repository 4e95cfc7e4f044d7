/** Proves code inside the process that is made for it. Has only what is pure, and gets and returns JSON. */
import type { Recording } from '../../../debugging/recording/format.ts';
import {
  generateRuns,
  type LoadCode,
  prove,
  type StepReport,
  strengthOf,
  type WhenIdle,
  writableProof,
} from '../../../migrate/index.ts';
import type { Pipeline } from '../../../pipeline/index.ts';
import { payloadsOf } from '../effects/payloads.ts';
import type { Proved } from '../types.ts';

export interface ProofJob {
  code: string;
  steps: StepReport[];
  pipeline: Pipeline;
  recordings: Recording[];
  dataSources: [name: string, id: number][];
}

/** What the process has. */
interface Host {
  /** Evaluates an expression, whatever the process forbids to other code. */
  compile(source: string): unknown;
  whenIdle: WhenIdle;
}

export async function run(job: ProofJob, { compile, whenIdle }: Host): Promise<Proved> {
  const load: LoadCode = (code, names) =>
    // Sloppy, as the platform runs it.
    compile(`(function (${names.join(', ')}) { ${code}\nreturn execute;\n})`) as ReturnType<LoadCode>;
  const { code, recordings } = job;
  const generated = await generateRuns(job.pipeline, { recordings });
  const inputs = payloadsOf(recordings, generated);
  const options = { load, recordings, generated, dataSources: new Map(job.dataSources), whenIdle };
  const proof = await prove(job, job.pipeline, options);
  const aside = new Set(proof.aside.map(({ recording }) => recording));
  const counted = recordings.filter((_, index) => !aside.has(index));
  const strength = await strengthOf(code, { ...options, recordings: counted }, mutantsFor(code));
  return { proof: writableProof(proof), strength, inputs };
}

const MOST_MUTANTS = 500;
const FEWEST_MUTANTS = 25;
/** In characters of code, about. Each mutant is compiled and run as a whole. */
const ALL_MUTANTS = 8_000_000;

/** How many mutants are tried. Fewer of long code, so that its proof ends, too. */
const mutantsFor = ({ length }: string): number =>
  Math.min(MOST_MUTANTS, Math.max(FEWEST_MUTANTS, Math.floor(ALL_MUTANTS / length)));
