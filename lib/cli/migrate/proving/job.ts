/**
 * Proves code inside a context of its own, which the code shares. The code can’t change what they share, and reaches
 * neither what the prover knows nor what sends the result.
 */
import type { Recording } from '../../../debugging/recording/format.ts';
import { LostValueError } from '../../../debugging/recording/values.ts';
import { freezeShared } from '../../../local-platform/runner/context/freeze.ts';
import type { Host } from '../../../local-platform/runner/context/host.ts';
import type { World } from '../../../local-platform/runner/context/world.ts';
import {
  generateRuns,
  type LoadCode,
  prove,
  type StepReport,
  strengthOf,
  type WhenIdle,
  writableProof,
} from '../../../migrate/index.ts';
import { errorText } from '../../../migrate/proof/ends.ts';
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

export const LINE = { proved: 'R', failed: 'F' } as const;

/** In characters, of what the code can have thrown. */
const LONGEST_ERROR = 2_000;

/** What would let code go on after its run, or wait for something that isn’t its own. */
const REMOVED =
  'setTimeout setInterval clearTimeout clearInterval fetch WebAssembly Atomics SharedArrayBuffer FinalizationRegistry WeakRef';

/** Answers each job, which is JSON, with one line. */
export function start(host: Host, { tick }: Pick<World, 'tick'>): void {
  const whenIdle = idling(setTimeout);
  for (const name of REMOVED.split(' ')) Reflect.deleteProperty(globalThis, name);
  freezeShared(LostValueError);
  host.receive = (text) => {
    if (text.startsWith('T')) return tick(Number(text.slice(1)));
    run(JSON.parse(text) as ProofJob, loaderOf(host), whenIdle).then(
      (proved) => host.send(LINE.proved + JSON.stringify(proved)),
      (error: unknown) => host.send(LINE.failed + JSON.stringify(errorText(error).slice(0, LONGEST_ERROR))),
    );
  };
}

/** Only the prover has timers. When one fires, all else that can happen has happened. */
function idling(startTimer: typeof setTimeout): WhenIdle {
  let idle: (() => void) | null = null;
  return (listener) => {
    if (!idle)
      startTimer(() => {
        const waiting = idle;
        idle = null;
        waiting?.();
      }, 0);
    idle = listener;
  };
}

/** Sloppy, as the platform runs it. */
const loaderOf =
  (host: Host): LoadCode =>
  (code, names) => {
    let loaded: unknown;
    const source = `(function (${names.join(', ')}) { ${code}\nreturn execute;\n})`;
    const problem = host.evaluate(source, 'action.v3.js', (value) => (loaded = value));
    if (problem !== null) throw new SyntaxError(problem);
    return loaded as ReturnType<LoadCode>;
  };

async function run(job: ProofJob, load: LoadCode, whenIdle: WhenIdle): Promise<Proved> {
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
