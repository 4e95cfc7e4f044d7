/** What a run of a copy executes: a pipeline or a screen, or the code of a V3 action. */
import type { ProfileName } from '../../../platform-api/actions-v3/profiles.ts';
import type { PipelineStep } from '../../../platform-api/index.ts';
import type { PublishedCopy } from '../../db/schema.ts';
import type { RunRequest } from '../../jobs/types.ts';

/** @param profile that of the platform; a V3 run keeps it, so that workers need no option of their own */
export function programOf(
  { functions, pageId, actionVersion, code = '', dependencies = [] }: PublishedCopy,
  profile: ProfileName,
  runOn: 'server' | 'client' = 'server',
): Pick<RunRequest, 'pipeline' | 'pageId' | 'v3'> {
  return {
    pipeline: functions as PipelineStep[],
    pageId: pageId ?? null,
    ...(actionVersion === 'v3' && { v3: { code, dependencies, profile, runOn } }),
  };
}
