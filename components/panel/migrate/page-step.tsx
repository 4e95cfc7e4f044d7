/** Leads to a page that can run the code, if an error is the page’s. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../ui/index.ts';
import { ReloadButton } from '../run/reload-button.tsx';

const RELOADED: ReadonlySet<string> = new Set(['PAGE_BUSY', 'PAGE_EXCEPTION', 'PAGE_NONSENSE', 'PROOF_TOO_SLOW']);
const OPENED: ReadonlySet<string> = new Set(['APP_PAGE_MISSING', 'BUILT_INS_REPLACED']);

interface OpenDebugPageProps {
  panel: Panel;
  actionId: number | undefined;
}

function OpenDebugPage({ panel, actionId }: OpenDebugPageProps): JSX.Element | null {
  if (actionId === undefined) return null;
  return <Button onClick={() => void panel.openPage(String(actionId))}>Open debug page</Button>;
}

/** While the tab has no page that can run the code. */
export const NoPageStep = (props: OpenDebugPageProps): JSX.Element | null => (
  <PageStep {...props} code={props.panel.page.lost.value?.code === 'PAGE_BUSY' ? 'PAGE_BUSY' : 'APP_PAGE_MISSING'} />
);

export function PageStep({ code, ...props }: OpenDebugPageProps & { code: string }): JSX.Element | null {
  if (RELOADED.has(code)) return <ReloadButton panel={props.panel} />;
  return OPENED.has(code) ? <OpenDebugPage {...props} /> : null;
}
