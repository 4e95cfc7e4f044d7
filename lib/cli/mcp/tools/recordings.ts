/** Tools that open recordings, and show, explain, and replay them. */
import { resolve } from 'node:path';
import * as v from 'valibot';
import type { RecordedStep } from '../../../debugging/recording/format.ts';
import { realPathIn } from '../../../local-platform/real-path.ts';
import { CodedError } from '../../../platform-api/index.ts';
import { editedPipeline } from '../../operations/edit-pipeline.ts';
import { explainRecording } from '../../operations/explain.ts';
import { recordingOfFile, recordingOfLog, summaryOf } from '../../operations/recordings.ts';
import { requireShortLoops } from '../../operations/empty-loops.ts';
import { replayChanged, replayRecording } from '../../operations/replay.ts';
import type { Reply } from '../reply.ts';
import { defineTool, invalid } from '../tool.ts';
import { app, checkMocks, handle, id, keepRecording, mocks, object, offset, PAGE } from './shared.ts';

const path = v.pipe(v.string(), v.maxLength(2_000));

export const openRecordingTool = defineTool({
  name: 'open_recording',
  description:
    'Open a recorded run: of a log record (log: its ID), or of a .json file in the project’s folder. Returns a handle for list_steps, explain_branch, replay_recording, and read.',
  entries: { app, log: v.optional(id), file: v.optional(path) },
  handler: async ({ app: given, log, file }, { session, signal }) => {
    if ((log === undefined) === (file === undefined)) throw invalid('Either log or file is required.');
    const recording =
      file === undefined
        ? await recordingOfLog(session.connection, { appId: session.app(given), logId: log! }, { signal })
        : await recordingOfFile(await projectFile(session.options.folder, file));
    requireShortLoops(recording.pipeline);
    return { ...keepRecording(recording, session), data: { recording: summaryOf(recording) } };
  },
});

/** @throws CodedError `FILE_NOT_ALLOWED` */
async function projectFile(folder: string, file: string): Promise<string> {
  const real = await realPathIn(folder, resolve(folder, file)).catch(() => null);
  if (real?.endsWith('.json')) return real;
  throw new CodedError({
    code: 'FILE_NOT_ALLOWED',
    message: 'Couldn’t open this file: only .json files in the project’s folder can be opened.',
    hint: 'Pass a path from the project’s folder, or a log record.',
  });
}

export const listStepsTool = defineTool({
  name: 'list_steps',
  description: 'List the steps of a recorded run, in order. path: only this step and those in it.',
  entries: {
    handle,
    path: v.optional(path),
    state: v.optional(v.picklist(['completed', 'skipped', 'failed', 'stopped'])),
    offset,
  },
  handler: async ({ handle: given, path: under, state, offset: from }, { session }) => {
    const { steps } = session.handles.recording(given);
    const isWanted = (step: RecordedStep): boolean =>
      (state === undefined || step.state === state) &&
      (under === undefined || step.path === under || step.path.startsWith(`${under}/`));
    const found = under === undefined && state === undefined ? steps : steps.filter(isWanted);
    const items = found.slice(from, from + PAGE).map(shownStep);
    return Promise.resolve({ list: { name: 'steps', items, offset: from, total: found.length } });
  },
});

/** Without what only replays need. */
function shownStep(step: RecordedStep): Omit<RecordedStep, 'changes' | 'late' | 'shared'> {
  const { kind, path: at, iteration, name, milliseconds, state, value, error, iterations, branch, replaced } = step;
  return {
    kind,
    path: at,
    ...(iteration && { iteration }),
    ...(name !== undefined && { name }),
    at: rounded(step.at),
    milliseconds: rounded(milliseconds),
    state,
    ...(value !== undefined && { value }),
    ...(error && { error }),
    ...(iterations !== undefined && { iterations }),
    ...(branch !== undefined && { branch }),
    ...(replaced !== undefined && { replaced }),
  };
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

export const explainBranchTool = defineTool({
  name: 'explain_branch',
  description:
    'Explain why a recorded run took its branches, and why it failed. step: a path, for the values of each part of its conditions. iteration: from 0, one number for each loop.',
  entries: {
    handle,
    step: v.optional(path),
    iteration: v.optional(v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), v.maxLength(20))),
    offset,
  },
  handler: async ({ handle: given, step, iteration, offset: from }, { session, signal }) => {
    const { steps, ...explained } = await explainRecording(
      session.handles.recording(given),
      { step, iteration },
      { signal },
    );
    const items = steps.slice(from, from + PAGE);
    return { data: { ...explained }, list: { name: 'steps', items, offset: from, total: steps.length } };
  },
});

/** Far above those of recordings. */
const LIMITS = { maxSteps: 300_000, maxTime: 20_000 };

export const replayRecordingTool = defineTool({
  name: 'replay_recording',
  description:
    'Replay a recorded run offline: no function is called, each has its recorded outcome. As it was, or with another payload, edits or a whole pipeline, or mocks. Then an outcome counts only for the same input. edits: value replaces what is at a path, such as /1/conditions/0/condition.',
  entries: {
    handle,
    payload: v.optional(object),
    edits: v.optional(v.pipe(v.array(v.strictObject({ path, value: v.unknown() })), v.maxLength(100))),
    pipeline: v.optional(v.array(object)),
    mocks,
  },
  handler: async ({ handle: given, payload, edits, pipeline, mocks: givenMocks }, { session, signal }) => {
    const recording = session.handles.recording(given);
    if (edits && pipeline) throw invalid('Only one of edits and pipeline can be given.');
    if (!payload && !edits && !pipeline && !givenMocks)
      return { data: { replay: await replayRecording(recording, { signal }) } };
    const change = {
      payload,
      pipeline: edits ? editedPipeline(recording, edits) : pipeline,
      mocks: givenMocks && checkMocks(givenMocks),
    };
    requireShortLoops(change.pipeline);
    const replayed = await replayChanged(recording, change, { signal, ...LIMITS });
    const { branches, recording: copy, ...ends } = replayed;
    const reply: Reply = {
      ...keepRecording(copy, session),
      data: ends,
      list: { name: 'changedBranches', items: branches.slice(0, PAGE), offset: 0, total: branches.length },
    };
    return reply;
  },
});
