/** Migrates the actions of an app to V3, proves each on its recordings, and writes its files. */
import type { Recording } from '../../debugging/recording/format.ts';
import { dependenciesOf, migrate, reportOf } from '../../migrate/index.ts';
import { CodedError, type ErrorValue, type Result, toErrorValue } from '../../platform-api/coded-error.ts';
import { checkCode } from '../../platform-api/actions-v3/index.ts';
import { EffectsLab } from './effects/lab.ts';
import type { EffectsReport } from './effects/types.ts';
import { readActionFile, readRecordings, readSources } from './inputs/files.ts';
import { readPlatform } from './inputs/platform.ts';
import type { Place } from '../files.ts';
import { folderName } from './output/folder-name.ts';
import { maskedJob, withMasked } from './masked.ts';
import { digestsOf, readCode, readDraft, writeAction } from './output/write.ts';
import { proveConfined } from './proving/confined.ts';
import type { Job, MigratedAction, MigrateOptions, ProvedAction, ReadJob, Written } from './types.ts';

/**
 * Writes a folder for each action. An action that fails doesn’t keep the others from being migrated.
 * @returns the actions in the order of their IDs, or of the files; an error if they can’t be read
 */
export async function migrateApp(options: MigrateOptions): Promise<Result<MigratedAction[]>> {
  let jobs: Job[];
  try {
    jobs = await readJobs(options);
  } catch (error) {
    return { ok: false, error: options.signal?.aborted ? migrationCanceled().value : toErrorValue(error) };
  }
  const migrated: MigratedAction[] = [];
  const lab = options.effects ? new EffectsLab({ profiles: options.profiles, signal: options.signal }) : null;
  try {
    for (const job of jobs) {
      migrated.push(await migrateAction(job, options, lab));
      if (options.signal?.aborted) return { ok: false, error: migrationCanceled().value };
    }
  } finally {
    await lab?.close();
  }
  return { ok: true, value: migrated };
}

async function readJobs({ from, sources: files, recordings: folder, signal, tokens }: MigrateOptions): Promise<Job[]> {
  const sources = await readSources(files);
  const given = folder === null ? [] : await readRecordings(folder);
  const jobs = 'files' in from ? await jobsOf(from.files, sources) : await readPlatform({ ...from, signal }, sources);
  requireOneOfEach(jobs);
  return jobs.map((job) =>
    maskedJob(
      { ...job, recordings: [...job.recordings, ...given].filter((recording) => isOf(job, recording)) },
      tokens,
    ),
  );
}

async function jobsOf(files: readonly string[], sources: ReadonlyMap<string, string>): Promise<ReadJob[]> {
  const actions = await Promise.all(files.map(readActionFile));
  return actions.map((action) => ({ action, sources, dataSources: new Map(), recordings: [] }));
}

/** Two actions would write the same files. @throws CodedError `ACTION_TWICE` */
function requireOneOfEach(jobs: readonly ReadJob[]): void {
  const names = jobs.map(({ action }) => action.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new CodedError({
    code: 'ACTION_TWICE',
    message: `Couldn’t migrate two actions with the name “${twice}”: both would have the same folder.`,
    hint: 'Migrate them one after the other, with different folders for --out.',
  });
}

/** A recording that doesn’t name its action is given for all of them. The proof puts those of other pipelines aside. */
const isOf = ({ action }: ReadJob, { action: recorded }: Recording): boolean =>
  recorded?.name === undefined || recorded.name === action.name;

async function migrateAction(job: Job, options: MigrateOptions, lab: EffectsLab | null): Promise<MigratedAction> {
  const { name } = job.action;
  const folder = folderName(name);
  try {
    const written = await provedAction(job, folder, { ...options, edited: options.prove ? options.out : null });
    options.signal?.throwIfAborted();
    if (lab) noteEffects(written, await lab.prove(job, written, written.inputs, appOf(options)));
    await writeAction(options.out, folder, written, options);
    return { name, folder, report: written.report };
  } catch (error) {
    return { name, folder, error: toErrorValue(error) };
  }
}

function noteEffects({ report }: Written, effects: EffectsReport[]): void {
  report.effects = effects;
  if (effects.some(({ state }) => state === 'differs')) report.status = 'differs';
}

const appOf = ({ from }: MigrateOptions): number | undefined => ('appId' in from ? from.appId : undefined);

interface ProveOptions extends Pick<MigrateOptions, 'timeLimit' | 'signal'> {
  /** Where the code is that is proved. Null for the code that is generated. */
  edited: Place | null;
}

/** Migrates an action and proves it. Writes nothing. @throws CodedError */
export async function provedAction(
  { action, recordings, sources, dataSources, masked }: Job,
  folder: string,
  { edited, timeLimit, signal }: ProveOptions,
): Promise<ProvedAction> {
  const migration = valueOf(migrate(action, { sources, dataSources }));
  const { report, action: generated } = migration;
  const code = edited ? await readCode(edited, folder) : migration.code;
  const draft = (edited && (await readDraft(edited, folder))) ?? generated;
  const [problem] = checkCode(code);
  if (problem) throw new CodedError(refused(problem.message));
  const task = { code, steps: report.steps, pipeline: action.functions, recordings, dataSources: [...dataSources] };
  const { proof, strength, inputs } = valueOf(await proveConfined(task, timeLimit, signal));
  return {
    code,
    draft: { ...draft, dependencies: dependenciesOf(code) },
    report: {
      ...withMasked(reportOf(report, proof, strength), masked, code),
      generated: digestsOf({ code: migration.code, draft: generated }),
    },
    inputs,
  };
}

function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new CodedError(result.error);
}

export const migrationCanceled = (): CodedError =>
  new CodedError({ code: 'ABORTED', message: 'The migration was canceled.' });

const refused = (message: string): ErrorValue => ({
  code: 'CODE_VALIDATION_FAILED',
  message: `Couldn’t use the code, because V3 refuses it: ${message}`,
  hint: 'Correct the code, then prove it again.',
});
