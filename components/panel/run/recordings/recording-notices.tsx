/** What the commands of the recording menu have found, loaded when there’s something to say. */
import type { JSX } from 'preact';
import type { RecordingMenuProps } from './recording-menu.tsx';
import { ReplayNotice } from './replay-notice.tsx';
import { SmallestNotice } from './smallest-notice.tsx';
import { TestNotice } from './test-notice.tsx';
import { WhatIfNotice } from './what-if-notice.tsx';

export const RecordingNotices = ({ panel, run }: RecordingMenuProps): JSX.Element => (
  <>
    <ReplayNotice panel={panel} run={run} />
    <TestNotice panel={panel} run={run} />
    <WhatIfNotice panel={panel} run={run} />
    <SmallestNotice panel={panel} run={run} />
  </>
);
