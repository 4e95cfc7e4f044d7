/** The `data` of the log record of a V3 run (actions-v3, "Triggers, limits, logs"). */
import { V3_PROFILES } from '../../platform-api/actions-v3/profiles.ts';
import type { RunFailure } from '../../platform-api/index.ts';
import { isRecord } from '../../shared/objects.ts';
import type { RunOutcome, RunRequest } from '../jobs/types.ts';

type RunV3 = Pick<RunRequest, 'actionId' | 'mode' | 'dueAt' | 'payload'> & {
  v3: NonNullable<RunRequest['v3']>;
  runId?: string;
};

/** @param console lines of the run’s console, for profiles that log values */
export function runDataV3(
  { actionId, mode, dueAt, payload, runId, v3: { profile, runOn } }: RunV3,
  duration: number,
  outcome: RunOutcome,
  console: readonly string[],
): Record<string, unknown> {
  const values = {
    payload,
    ...(outcome.state === 'failed' && { error: errorOf(outcome.failure) }),
    ...(outcome.state === 'completed' && outcome.result !== undefined && { result: outcome.result }),
    ...(console.length > 0 && { console }),
  };
  return {
    taskId: actionId,
    mode,
    runOn,
    duration,
    actionVersion: 'v3',
    ...(runId !== undefined && { runId }),
    ...(dueAt !== undefined && { dueAt }),
    ...logIdOf(payload),
    ...(V3_PROFILES[profile].logsValues[runOn] && values),
  };
}

/** The log record that a run handles: one that fired it, or one that it was given by hand. */
export function logIdOf({ trigger, log }: RunRequest['payload']): { logId?: number } {
  return trigger === 'log' && isRecord(log) && typeof log.id === 'number' ? { logId: log.id } : {};
}

const errorOf = ({ errorType: name, errorMessage: message, trace }: RunFailure) => ({
  name,
  message,
  stack: [`${name}: ${message}`, ...trace.map((line) => `    ${line}`)].join('\n'),
});
