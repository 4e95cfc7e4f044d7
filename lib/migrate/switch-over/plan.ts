/** The plan of a switch-over: its steps in order, limits that will bite, and call sites to change. Pure. */
import type { Recording } from '../../debugging/recording/format.ts';
import type { ProfileName } from '../../platform-api/actions-v3/profiles.ts';
import type { LogRecord } from '../../platform-api/log.ts';
import { formatTime } from '../../shared/format.ts';
import { type CallSites, callSitesOf } from './call-sites.ts';
import { type LimitFinding, limitsOf } from './limits.ts';
import { firesItself } from './next-request.ts';
import { safeTime } from './schedule.ts';
import type { Firing, Position } from './types.ts';

export interface PlanInput {
  /** `isLive`: undefined if the platform doesn’t report it. */
  action: { id: number; name: string; appId: number; isLive: boolean | undefined };
  migration: Firing & { name: string; environment: 'server' | 'client' | 'any' };
  recordings: readonly Recording[];
  /** Of the V2 action’s runs. */
  logs: readonly LogRecord[];
  profile: ProfileName;
  namespace: string;
  /** By the platform’s clock, in milliseconds since 1970. */
  now: number;
}

export interface PlanStep {
  id: 'draft' | 'answer' | 'calls' | 'switch' | 'gap' | 'remove';
  title: string;
  /** The button. */
  verb: string;
  changes: string;
  /** What is live once it’s done. */
  live: string;
  risk: string;
  back: string;
  /** Where the step leads to. Null if it sends no request. */
  to: Position | null;
}

export interface Plan {
  steps: PlanStep[];
  limits: LimitFinding[];
  calls: CallSites;
  /** When the triggers can be switched, in milliseconds since 1970; null if they can be now. */
  safeAt: number | null;
}

export function planOf(input: PlanInput): Plan {
  const { action, migration, recordings, logs, profile, namespace, now } = input;
  const safe = safeTime(migration, now);
  const hasCalls = migration.triggers.some(({ trigger }) => trigger === 'manual');
  const steps = [
    draftStep(input),
    answerStep(input, hasCalls),
    ...(hasCalls ? [callsStep(input)] : []),
    switchStep(input, safe > now ? safe : null),
    ...(firesItself(migration) ? [gapStep(input, hasCalls)] : []),
    removeStep(input),
  ];
  return {
    steps,
    limits: limitsOf({ environment: migration.environment, profile, recordings, logs }),
    calls: callSitesOf({
      v2: action,
      name: migration.name,
      namespace,
      profile,
      environment: migration.environment,
      logs,
    }),
    safeAt: safe > now ? safe : null,
  };
}

const NAMES = { log: 'log records', schedule: 'its schedule', manual: 'calls', analytics: 'analytics events' };

/** Such as “log records and its schedule”. */
function firedBy({ triggers }: Firing): string {
  const names = [
    ...new Set(triggers.filter(({ trigger }) => trigger !== 'manual').map(({ trigger }) => NAMES[trigger])),
  ];
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? 'nothing but calls');
}

const draftStep = ({ migration }: PlanInput): PlanStep => ({
  id: 'draft',
  title: 'Create the draft',
  verb: 'Create draft',
  changes: `Creates the V3 action “${migration.name}”: inactive and unpublished.`,
  live: 'Nothing new. V2 stays as it is.',
  risk: 'None. The draft can’t run.',
  back: 'Removes the draft.',
  to: 'draft',
});

const answerStep = ({ action, migration }: PlanInput, hasCalls: boolean): PlanStep => ({
  id: 'answer',
  title: hasCalls ? 'Let V3 answer calls' : 'Publish V3 without its triggers',
  verb: hasCalls ? 'Publish for calls' : 'Publish without triggers',
  changes: `Activates and publishes “${migration.name}”, ${hasCalls ? 'with its manual trigger only' : 'without triggers'}.`,
  live: hasCalls
    ? `Live apps can call “${migration.name}”. V2 still answers calls, and handles everything else.`
    : `“${migration.name}” is published, and nothing fires it. V2 handles everything.`,
  risk: 'A caller that calls both versions runs both.',
  back: `Unpublishes “${migration.name}”. Calls that were moved to it fail from then on. “${action.name}” isn’t touched.`,
  to: 'answering',
});

const callsStep = ({ action }: PlanInput): PlanStep => ({
  id: 'calls',
  title: 'Move the call sites',
  verb: 'All are moved',
  changes: 'Nothing on the platform. Change the call sites below, one by one.',
  live: 'Both versions answer calls, so the order doesn’t matter.',
  risk: `Call sites that still call “${action.name}” fail after the next step.`,
  back: 'Change the call sites back. V2 still answers.',
  to: null,
});

const switchStep = ({ action, migration }: PlanInput, safeAt: number | null): PlanStep => {
  const wait = safeAt === null ? '' : ` A scheduled run is near: wait until ${formatTime(safeAt, { seconds: true })}.`;
  const isOff = action.isLive === false ? ' V2 isn’t published, so this makes live what wasn’t.' : '';
  return {
    id: 'switch',
    title: 'Switch the triggers over',
    verb: 'Switch over',
    changes: `Deactivates and unpublishes “${action.name}”, then publishes “${migration.name}” with all triggers.`,
    live: `“${migration.name}” is fired by ${firedBy(migration)}. “${action.name}” no longer runs in live apps.${isOff}`,
    risk: `Between both requests, neither version is live. The next step finds what was missed.${wait}`,
    back: `“${migration.name}” only answers calls again, then “${action.name}” is published and handles the rest.`,
    to: 'switched',
  };
};

const gapStep = ({ migration }: PlanInput, hasCalls: boolean): PlanStep => ({
  id: 'gap',
  title: 'Check for missed events',
  verb: 'Check',
  changes: 'Nothing automatically. Each missed event is listed, and run only if you confirm it.',
  live: 'The same as before.',
  risk: hasCalls
    ? 'An event that’s run twice takes effect twice. So only those without a logged run are offered. A queued run can still start.'
    : `“${migration.name}” has no manual trigger: cause missed events again, or handle them by hand.`,
  back: 'A run can’t be undone.',
  to: null,
});

const removeStep = ({ action }: PlanInput): PlanStep => ({
  id: 'remove',
  title: 'Remove V2',
  verb: 'Remove V2',
  changes: `Removes “${action.name}”. Wait until V3 has run for a while.`,
  live: 'The same as before.',
  risk: 'Call sites that were forgotten can’t be served anymore.',
  back: 'None. V2 can’t be made live again.',
  to: 'removed',
});
