/** Says what callers of an action have to change, and what to search for. */
import { type ProfileName, V3_PROFILES } from '../../platform-api/actions-v3/profiles.ts';
import type { LogRecord } from '../../platform-api/log.ts';

export interface CallSite {
  before: string;
  after: string;
  /** What else is different; null if nothing is. */
  note: string | null;
}

export interface CallSites {
  changes: CallSite[];
  /** Texts to search for in screens, scripts, and other actions. */
  searches: string[];
  /** How many calls of V2 the logs have, and the last one in milliseconds since 1970; null if there are none. */
  calls: { count: number; last: number } | null;
}

export interface CallSiteInput {
  v2: { id: number; name: string; appId: number };
  /** The name of the V3 action. */
  name: string;
  /** Such as `Platform`. */
  namespace: string;
  profile: ProfileName;
  environment: 'server' | 'client' | 'any';
  /** Of V2. */
  logs: readonly LogRecord[];
}

export function callSitesOf({ v2, name, namespace, profile, environment, logs }: CallSiteInput): CallSites {
  const [old, now] = [`${namespace}.App.Actions`, `${namespace}.App.V3.Actions`];
  const isWrapped = V3_PROFILES[profile].hasEnvelope && environment !== 'client';
  const call = (method: string, reference: string | number): string => `${method}(${quoted(reference)}`;
  const envelope = isWrapped ? 'The result is in data: {success, data}. Check success first.' : null;
  const rest = `/v1/apps/${v2.appId}/actions`;
  const calls = logs.filter(({ data }) => data['mode'] === 'on-demand' && data['actionVersion'] !== 'v3');
  return {
    changes: [
      {
        before: `${old}.${call('run', v2.name)}, payload)`,
        after: `${now}.${call('run', name)}, payload)`,
        note: null,
      },
      {
        before: `${old}.${call('runWithResult', v2.name)}, payload)`,
        after: `${now}.${call('runWithResult', name)}, payload)`,
        note: envelope,
      },
      { before: `POST ${rest}/${v2.name}/run`, after: `POST /v3/apps/${v2.appId}/actions/${name}/run`, note: null },
    ],
    searches: [
      `'${v2.name}'`,
      `"${v2.name}"`,
      `\`${v2.name}\``,
      call('run', v2.id),
      call('runWithResult', v2.id),
      `${rest}/${v2.name}/`,
      `${rest}/${v2.id}/`,
    ],
    calls:
      calls.length === 0
        ? null
        : { count: calls.length, last: Math.max(...calls.map(({ createdAt }) => Date.parse(createdAt))) },
  };
}

/** Names have letters, digits, dashes, and underscores only. */
const quoted = (reference: string | number): string =>
  typeof reference === 'number' ? String(reference) : `'${reference}'`;
