/**
 * Reads what the panel sends for debugging. A page can add properties to `Object.prototype`, which must not become settings, so
 * objects are copied without a prototype.
 */
import type { Mock } from '../../../../../debugging/mocks/types.ts';
import type { DebuggerSettings, ResumeCommand, StepPlace } from '../../../../../debugging/stepper/types.ts';
import { ownValue } from '../../../agent/describe/describe-cursor.ts';
import { create, isArray, keys, parseJson } from '../../../agent/pristine.ts';
import { attempt } from '../../../agent/safe.ts';
import type { AgentDebugOptions } from '../../debug-options.ts';

/** A copy with the own properties, or the value itself if it isn't an object. */
function own<T>(value: T): T {
  if (typeof value !== 'object' || value === null || isArray(value)) return value;
  const copy = create(null) as Record<string, unknown>;
  const names = keys(value);
  for (let i = 0; i < names.length; i++) copy[names[i]!] = ownValue(value, names[i]!);
  return copy as T;
}

function ownItems<T>(list: readonly T[]): T[] {
  const copies: T[] = [];
  for (let i = 0; i < list.length; i++) copies[i] = own(list[i]!);
  return copies;
}

export function readSettings(given: DebuggerSettings): DebuggerSettings {
  const settings = own(given);
  settings.breakpoints = ownItems(settings.breakpoints);
  return settings;
}

export function readCommand(given: ResumeCommand): ResumeCommand {
  const command = own(given);
  if (command.runTo) command.runTo = own(command.runTo);
  if (!command.outcome) return command;
  const outcome = own(command.outcome);
  if ('error' in outcome) outcome.error = own(outcome.error);
  // JSON leaves out undefined.
  const isValue = !('error' in outcome) && !('skip' in outcome) && !('branch' in outcome) && !('retry' in outcome);
  command.outcome = isValue ? own({ value: (outcome as { value?: unknown }).value }) : outcome;
  return command;
}

/** What the panel asks for, with its texts. */
export interface DebugRequest {
  settings: DebuggerSettings | null;
  /** Those that are on. */
  mocks: Mock[];
  from: { recording: string; place: StepPlace; pauses: boolean } | null;
  runTo: StepPlace | null;
  pausesFirst: boolean;
}

/** @param takeText returns a text that was sent before. Returns null if one is missing. */
export function readRequest(
  given: AgentDebugOptions | undefined,
  takeText: (id: string) => string | undefined,
): DebugRequest | null {
  const { settings, mocks, from, runTo, pausesFirst } = own(given ?? {}) as AgentDebugOptions;
  const request: DebugRequest = {
    settings: settings ? readSettings(settings) : null,
    mocks: [],
    from: null,
    runTo: runTo ? own(runTo) : null,
    pausesFirst: pausesFirst === true,
  };
  if (mocks !== undefined) {
    const text = takeText(mocks);
    const list = text === undefined ? undefined : attempt(() => parseJson(text) as Mock[]);
    if (list === undefined) return null;
    request.mocks = readMocks(list);
  }
  if (from) {
    const { text, place, pauses } = own(from);
    const recording = takeText(text);
    if (recording === undefined) return null;
    request.from = { recording, place: own(place), pauses: pauses === true };
  }
  return request;
}

function readMocks(list: readonly Mock[]): Mock[] {
  const mocks: Mock[] = [];
  for (let i = 0; i < list.length; i++) {
    const mock = own(list[i]!);
    mock.target = own(mock.target);
    if (mock.outcome) mock.outcome = own(mock.outcome);
    if (mock.outcome && 'error' in mock.outcome) mock.outcome.error = own(mock.outcome.error);
    if (mock.isOff !== true) mocks[mocks.length] = mock;
  }
  return mocks;
}
