/** Shows the calls of a step that differ from those in V2 in a recording of the code’s run. */
import type { RecordedRequest, Recording } from '../../debugging/recording/format.ts';
import { RECORDING_LIMIT } from '../../debugging/recording/recorder.ts';
import { readValue, writeValue } from '../../debugging/recording/values.ts';
import { contextDifferences } from '../../debugging/compare/context-differences.ts';
import { toText } from '../../pipeline/index.ts';
import { valueAt } from '../../shared/json-pointer.ts';
import type { Call } from './expected-calls.ts';

type Settings = Record<string, unknown>;

/**
 * The last step has the settings that the code called it with, if it’s the first with its path. Otherwise, what differs
 * would seem to differ in earlier iterations, too, so that its calls are requests.
 */
export function withCalls(recording: Recording, { expected, made }: { expected: Call[]; made: Call[] }): Recording {
  const index = recording.steps.length - 1;
  const step = recording.steps[index];
  if (!step) return recording;
  const isFirst = recording.steps.findIndex(({ path }) => path === step.path) === index;
  const [before, now] = [settingsOf(expected), settingsOf(made)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const differing = names.filter((name) => contextDifferences(before[name], now[name], { limit: 1 }).length > 0);
  if (isFirst && differing.length > 0) return withSettings(recording, step.path, now, differing);
  const requests = made.map((call): RecordedRequest => requestOf(call, step.at, index));
  return { ...recording, requests: [...(recording.requests ?? []).filter((each) => each.step !== index), ...requests] };
}

function withSettings(recording: Recording, path: string, now: Settings, names: readonly string[]): Recording {
  const pipeline = readValue(recording.pipeline);
  const step = valueAt(pipeline, path) as { settings?: Settings };
  const settings: Settings = { ...step.settings };
  for (const name of names) {
    if (Object.hasOwn(now, name)) settings[name] = now[name];
    else delete settings[name];
  }
  step.settings = settings;
  return { ...recording, pipeline: writeValue(pipeline, { left: RECORDING_LIMIT, lost: 0 }) };
}

/** The settings of a package that makes these calls in V2. */
function settingsOf(calls: readonly Call[]): Settings {
  const inserted = calls.filter(([name]) => name === 'insert').map(([, entry]) => entry);
  const settings: Settings = inserted.length > 0 ? { entries: inserted } : {};
  for (const [name, ...args] of calls) Object.assign(settings, SETTINGS[name]?.(args) ?? args[0]);
  return settings;
}

const SETTINGS: Readonly<Record<string, (args: unknown[]) => Settings>> = {
  package: ([, settings]) => settings as Settings,
  insert: () => ({}),
  'DataSources.connect': ([dataSourceId]) => ({ dataSourceId }),
  fetch: ([url, method, headers, body]) => ({ url, method, headers, body }),
};

/** So that it’s seen which call it is. */
const requestOf = ([name, ...args]: Call, at: number, step: number): RecordedRequest => ({
  at,
  step,
  method: 'CALL',
  url: name,
  body: { text: toText(args) },
});
