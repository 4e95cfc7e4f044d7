/** Owns one log record as it is read: what it is about, its data, and running a failed one again. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LogRecord } from '../../../lib/platform-api/log.ts';
import { describeJson } from '../../../lib/extension/panel/actions/described.ts';
import { failureOf, payloadOf } from '../../../lib/extension/panel/actions/logs.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../ui/index.ts';
import { ValueTree } from '../../ui/value-tree.tsx';
import { LogBadge } from './badges.tsx';
import { TraceLines } from './trace-lines.tsx';

interface LogDetailProps {
  panel: Panel;
  record: LogRecord;
  /** The action that it is a run of; null of none. */
  actionId: number | null;
  maxHeight?: number;
  onClose?: () => void;
}

export function LogDetail({ panel, record, actionId, maxHeight = 260, onClose }: LogDetailProps): JSX.Element {
  const value = useMemo(() => describeJson({ ...record.data }), [record]);
  const payload = payloadOf(record);
  const failure = failureOf(record);
  const isThere = actionId !== null && (panel.catalog.actions.value.value?.some(({ id }) => id === actionId) ?? false);
  const named = (['dataSourceId', 'dataSourceEntryId', 'appNotificationId', 'sessionId'] as const).filter(
    (name) => record[name] !== null,
  );
  return (
    <div class="log-detail" data-log-detail={record.id}>
      <p class="log-head">
        <LogBadge type={record.type} /> <code class="untrusted">{record.type}</code>{' '}
        <span class="muted">
          #{record.id} · {record.createdAt}
          {typeof record.data.dueAt === 'string' ? ` · due ${record.data.dueAt}` : ''}
          {named.map((name) => ` · ${name} ${record[name]}`)}
        </span>
        <span class="grow" />
        {payload === null ? null : (
          <Button
            unavailable={isThere ? null : 'The action is gone.'}
            title="Take this tab to the action's debug page, with the payload of this run"
            onClick={() => actionId !== null && void panel.openInRun(actionId, payload)}
          >
            Open in Run
          </Button>
        )}
        {onClose ? (
          <Button kind="quiet" label="Close the record" title="Close" onClick={onClose}>
            ✕
          </Button>
        ) : null}
      </p>
      {failure ? (
        <>
          <p class="log-failure untrusted">{failure.message}</p>
          <TraceLines lines={failure.trace} />
        </>
      ) : null}
      <ValueTree label="Data" value={value} expand={panel.expand} copy={panel.copy} maxHeight={maxHeight} />
    </div>
  );
}
