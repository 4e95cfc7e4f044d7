/** A request for a run that does nothing, for tests and benchmarks of the queue. */
import type { RunRequest } from '../../lib/local-platform/jobs/types.ts';

export const runRequest = (change: Partial<RunRequest> = {}): RunRequest => ({
  appId: 101,
  actionId: 1,
  actionName: 'nothing',
  trigger: 'manual',
  mode: 'on-demand',
  copy: 'published',
  pipeline: [],
  pageId: null,
  payload: {},
  depth: 0,
  ...change,
});
