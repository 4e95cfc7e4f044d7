/** What the production guard asks: what will happen, and to whom. */
import type { Mock } from '../../../debugging/mocks/types.ts';
import type { Action } from '../../../platform-api/action.ts';
import { formatTime, plural, truncate } from '../../../shared/format.ts';
import { packagesIn, STAYING_PACKAGES } from '../run/mocks/mocked-packages.ts';
import { pipelineNodes } from '../run/pipeline-tree.ts';
import { shortName } from './short-name.ts';

export interface GuardQuestion {
  /** What will be done. The guard adds the environment's name. */
  title: string;
  effect: string;
  /** The confirming button, which repeats the title's verb. */
  button: string;
  /** Whether to ask on every environment, and even if it's unlocked: it can't be undone, or is probably a mistake. */
  always?: true;
  /** It’s known to change nothing, so no environment asks. */
  harmless?: true;
}

export const isSameQuestion = (a: GuardQuestion, b: GuardQuestion): boolean =>
  a.title === b.title && a.effect === b.effect && a.button === b.button && a.harmless === b.harmless;

/** Longer lists of names are truncated. */
const SHOWN_NAMES = 6;

const quoted = (name: string): string => `“${truncate(name, 120)}”`;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  return names.length > SHOWN_NAMES ? `${shown}, and ${names.length - SHOWN_NAMES} more` : shown;
}

/** The functions of a pipeline, each once: those that really run, and those that mocks always replace. */
function reallyRun(pipeline: unknown, mocks: readonly Mock[]): string {
  const { replaced, called } = packagesIn(pipelineNodes(pipeline), mocks);
  const really = called.length > 0 ? `Its functions really run: ${names(called)}.` : 'Its functions really run.';
  if (mocks.length === 0) return really;
  const on = `${plural(mocks.length, 'mock')} ${mocks.length === 1 ? 'is' : 'are'} on.`;
  if (replaced.length === 0) return `${on} ${really}`;
  return `${on} Mocked: ${names(replaced)}. ${called.length > 0 ? `Other functions really run: ${names(called)}.` : 'No function really runs.'}`;
}

const names = (packages: readonly string[]): string => listed(packages.map(shortName));

export const publishQuestion = ({ name, active }: Action): GuardQuestion => ({
  title: `Publish ${quoted(name)}`,
  effect: active
    ? 'Live apps and scheduled runs use the new version from now on.'
    : 'Live apps and schedules won’t run it, because it’s inactive.',
  button: 'Publish action',
});

/** For an action that has a step without required settings. */
export const publishFailingQuestion = ({ name }: Action): GuardQuestion => ({
  title: `Publish ${quoted(name)}`,
  effect: 'A step lacks required settings, and fails if it runs.',
  button: 'Publish action',
  always: true,
});

export const restoreQuestion = ({ name }: Action, revision: number): GuardQuestion => ({
  title: `Restore revision ${revision} of ${quoted(name)}`,
  effect: 'Preview pages and manual runs use it from now on. Live apps use it once you publish it.',
  button: 'Restore revision',
});

export const unpublishQuestion = ({ name }: Action): GuardQuestion => ({
  title: `Unpublish ${quoted(name)}`,
  effect: 'Live apps and schedules no longer start it. Queued runs may still start.',
  button: 'Unpublish action',
});

/** Undefined if the platform doesn't report the published copy. */
const liveUse = (published: Action['published']): string =>
  published === null ? '' : `${published ? 'Live' : 'If it’s published, live'} apps will no longer be able to run it. `;

export const removeQuestion = ({ name, published }: Action): GuardQuestion => ({
  title: `Remove action ${quoted(name)}`,
  effect: `You can’t undo this. ${liveUse(published)}Its log records are preserved.`,
  button: 'Remove action',
  always: true,
});

/** @param mocks what the run will get */
export function runQuestion(name: string | null, pipeline: unknown, mocks: readonly Mock[] = []): GuardQuestion {
  return {
    title: name === null ? 'Run the action of this page' : `Run ${quoted(name)}`,
    effect: reallyRun(pipeline, mocks),
    button: 'Run action',
    ...(isHarmless(pipeline, mocks) && { harmless: true as const }),
  };
}

/** The platform runs the working copy that it has then, so no list says what will run. */
export function platformRunQuestion({ name, functions }: Action, mocks: readonly Mock[]): GuardQuestion {
  const { harmless: _, effect, ...question } = runQuestion(name, functions, mocks);
  return { ...question, effect: `${effect} If the action was saved since the list was loaded, that version runs.` };
}

/** Whether mocks replace each function that could change something. */
function isHarmless(pipeline: unknown, mocks: readonly Mock[]): boolean {
  if (mocks.length === 0) return false;
  const nodes = pipelineNodes(pipeline);
  if (nodes.length === 0 || nodes.some(({ kind }) => kind === 'unknown')) return false;
  return packagesIn(nodes, mocks).called.every((name) => STAYING_PACKAGES.has(name));
}

export const createQuestion = (name: unknown): GuardQuestion => ({
  title: typeof name === 'string' && name ? `Create ${quoted(name)}` : 'Create an action',
  effect: 'Live apps don’t use the new action until you publish it.',
  button: 'Create action',
});

export const saveQuestion = ({ name }: Action): GuardQuestion => ({
  title: `Save ${quoted(name)}`,
  effect: 'Preview pages and manual runs use the change from now on. Live apps use it once you publish it.',
  button: 'Save action',
});

export const overwriteQuestion = ({ name }: Action): GuardQuestion => ({
  title: `Overwrite ${quoted(name)}`,
  effect: 'The saved version is replaced with yours.',
  button: 'Overwrite action',
});

/** @param actions names of the actions that probably run */
export const fireQuestion = (kind: 'log' | 'analytics', type: unknown, actions: readonly string[]): GuardQuestion => ({
  title: `Fire ${typeof type === 'string' && type ? quoted(type) : kind === 'log' ? 'a log record' : 'an event'}`,
  effect:
    actions.length === 0
      ? 'No action in the loaded list listens to it.'
      : `By the loaded list, ${plural(actions.length, 'action')} really ${actions.length === 1 ? 'runs' : 'run'}: ${listed(actions)}.`,
  button: kind === 'log' ? 'Fire log record' : 'Fire event',
});

export const clockQuestion = (time: number): GuardQuestion => ({
  title: `Move the virtual clock to ${formatTime(time, { timeZone: 'UTC' })} UTC`,
  effect: 'All scheduled runs until then are queued, and their functions really run.',
  button: 'Move clock',
});
