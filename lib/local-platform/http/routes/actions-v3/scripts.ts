/** URLs of scripts with the code of V3 actions, which pages load without a header: their signature grants access. */
import { V3_PROFILES } from '../../../../platform-api/actions-v3/profiles.ts';
import type { PageRun } from '../../../../platform-api/index.ts';
import type { Services } from '../../services.ts';

/** `actions`: the master copy of an action. `runs`: the code of a page’s run. */
export type ScriptKind = 'actions' | 'runs';

export const signedText = (kind: ScriptKind, id: string): string => `code ${kind} ${id}`;

export const scriptPath = ({ auth, v3 }: Pick<Services, 'auth' | 'v3'>, kind: ScriptKind, id: string): string =>
  `${v3.root}/scripts/${auth.signed(signedText(kind, id))}/${kind}/${id}/code.js`;

/** What a page’s run of V3 code needs. */
export function pageRunV3(
  services: Pick<Services, 'auth' | 'limits' | 'v3'>,
): Pick<PageRun, 'limits'> & { scriptOf: (runId: string) => string } {
  const { limits, v3 } = services;
  const { time, result } = V3_PROFILES[v3.profile];
  return {
    limits: { time: Math.min(limits.time, time.client), result: Math.min(limits.result, result) },
    scriptOf: (runId) => scriptPath(services, 'runs', runId),
  };
}
