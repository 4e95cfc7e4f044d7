/** Compares what runs have needed with the limits of V3. */
import type { Recording } from '../../debugging/recording/format.ts';
import { V3_PROFILES, type ProfileName } from '../../platform-api/actions-v3/profiles.ts';
import type { LogRecord } from '../../platform-api/log.ts';
import { formatCount, formatDuration, formatSize, plural } from '../../shared/format.ts';

/** What is known of one run. Null if it isn’t. */
interface RunFigures {
  /** When it started, in milliseconds since 1970. */
  at: number;
  milliseconds: number;
  /** In bytes of JSON. */
  result: number | null;
  payload: number | null;
}

export interface LimitFinding {
  limit: 'time' | 'result' | 'payload' | 'rate';
  /** `over`: a run would have failed. `near`: more than half of the limit. */
  level: 'over' | 'near' | 'fine' | 'unknown';
  /** With figures. */
  text: string;
}

export interface LimitInput {
  environment: 'server' | 'client' | 'any';
  profile: ProfileName;
  recordings: readonly Recording[];
  logs: readonly LogRecord[];
}

const MINUTE = 60_000;

export function limitsOf({ environment, profile, recordings, logs }: LimitInput): LimitFinding[] {
  const { time, result, payload, runsPerMinute } = V3_PROFILES[profile];
  const limit = environment === 'server' ? time.server : Math.min(time.server, time.client);
  const place = environment === 'server' ? 'server' : 'client';
  const runs = [...recordings.map(figuresOfRecording), ...logs.flatMap(figuresOfLog)];
  const rate = mostInAMinute(runs.map(({ at }) => at));
  const rateText = `Most runs in a minute: ${formatCount(rate)}. The limit is ${runsPerMinute} for all V3 actions of the app.`;
  return [
    finding(
      'time',
      runs.map(({ milliseconds }) => milliseconds),
      limit,
      (longest, count) =>
        `Longest of ${plural(count, 'run')}: ${formatDuration(longest)}. The ${place} limit is ${limit / 1_000} s.`,
    ),
    finding(
      'result',
      runs.map((run) => run.result),
      result,
      sizeText('result', result),
    ),
    finding(
      'payload',
      runs.map((run) => run.payload),
      payload,
      sizeText('payload', payload),
    ),
    runs.length === 0 ? unknown('rate') : { limit: 'rate', level: levelOf(rate, runsPerMinute), text: rateText },
  ];
}

const sizeText =
  (what: string, limit: number) =>
  (largest: number, count: number): string =>
    `Largest ${what} of ${plural(count, 'run')}: ${formatSize(largest)}. The limit is ${formatSize(limit)}.`;

function finding(
  limit: LimitFinding['limit'],
  figures: readonly (number | null)[],
  most: number,
  describe: (largest: number, count: number) => string,
): LimitFinding {
  const known = figures.filter((figure) => figure !== null);
  if (known.length === 0) return unknown(limit);
  const largest = known.reduce((one, other) => Math.max(one, other));
  return { limit, level: levelOf(largest, most), text: describe(largest, known.length) };
}

const UNKNOWN: Record<LimitFinding['limit'], string> = {
  time: 'No run says how long it takes.',
  result: 'No run says how large its result is.',
  payload: 'No run says how large its payload is.',
  rate: 'No run says how often the action runs.',
};
const unknown = (limit: LimitFinding['limit']): LimitFinding => ({ limit, level: 'unknown', text: UNKNOWN[limit] });

const levelOf = (figure: number, limit: number): LimitFinding['level'] =>
  figure > limit ? 'over' : figure > limit / 2 ? 'near' : 'fine';

/** In any 60 seconds, which is at least as many as in a minute of the clock. */
function mostInAMinute(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  for (let first = 0, last = 0; last < sorted.length; last++) {
    while (sorted[last]! - sorted[first]! >= MINUTE) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

const bytesOf = (value: unknown): number | null => {
  const json = value === undefined ? undefined : JSON.stringify(value);
  return json === undefined ? null : new TextEncoder().encode(json).length;
};

/** Marks of values that aren’t JSON make sizes slightly larger. */
const figuresOfRecording = ({ startedAt, milliseconds, payload, end }: Recording): RunFigures => ({
  at: Date.parse(startedAt),
  milliseconds,
  result: end.state === 'completed' ? bytesOf(end.result) : null,
  payload: bytesOf(payload),
});

function figuresOfLog({ createdAt, type, data }: LogRecord): RunFigures[] {
  const { duration, result, payload } = data;
  if (typeof duration !== 'number') return [];
  const isFailed = type.endsWith('.failed');
  const at = Date.parse(createdAt) - duration;
  return [{ at, milliseconds: duration, result: isFailed ? null : bytesOf(result), payload: bytesOf(payload) }];
}
