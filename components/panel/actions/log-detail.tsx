/** A log record's details, with a button that opens a failed run on the *Run* tab. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LogRecord } from '../../../lib/platform-api/log.ts';
import { describeJson } from '../../../lib/extension/panel/actions/described.ts';
import { failureOf, payloadOf } from '../../../lib/extension/panel/actions/log-records.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Alert, Button } from '../../ui/index.ts';
import { ValueTree } from '../shared/value-tree.tsx';
import { LogBadge } from './badges.tsx';
import { TraceLines } from './trace-lines.tsx';

interface LogDetailProps {
  panel: Panel;
  record: LogRecord;
  /** The action that ran; null for records that aren't about a run. */
  actionId: number | null;
  maxHeight?: number;
  onClose?: () => void;
}

export function LogDetail({ panel, record, actionId, maxHeight = 260, onClose }: LogDetailProps): JSX.Element {
  const value = useMemo(() => describeJson({ ...record.data }), [record]);
  const payload = payloadOf(record);
  const failure = failureOf(record);
  const logError = panel.recordings.logError.value;
  const isActionAvailable =
    actionId !== null && (panel.catalog.actions.value.value?.some(({ id }) => id === actionId) ?? false);
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
        {record.hasRecording ? <OpenRecording panel={panel} record={record} /> : null}
        {payload === null ? null : (
          <Button
            unavailable={isActionAvailable ? null : 'Refresh the actions: this one isn’t in the list'}
            title="Open the action’s debug page in this tab, with this run’s payload"
            onClick={() => actionId !== null && void panel.openInRun(actionId, payload)}
          >
            Open in Run
          </Button>
        )}
        {onClose ? (
          <Button kind="quiet" label="Close record" title="Close" onClick={onClose}>
            ✕
          </Button>
        ) : null}
      </p>
      {logError?.logId === record.id ? (
        <Alert error={logError.error} onDismiss={panel.recordings.dismissLogError} />
      ) : null}
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

function OpenRecording({
  panel: { recordings, catalog },
  record,
}: Pick<LogDetailProps, 'panel' | 'record'>): JSX.Element {
  const environment = catalog.environment.value;
  return (
    <Button
      title="Open the run’s recording on the Run tab: steps, contexts, and values"
      unavailable={recordings.busy.value ?? (environment ? null : 'Choose an environment')}
      onClick={() => {
        if (!environment) return;
        const { id: environmentId, baseUrl } = environment;
        void recordings.openLog({ environmentId, baseUrl, appId: record.appId, logId: record.id });
      }}
    >
      Open recording
    </Button>
  );
}
