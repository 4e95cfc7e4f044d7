/** A panel with stored runs, as far as a migration reads them. */
import { signal } from '@preact/signals';
import { RECORDING_FORMAT, RECORDING_VERSION, type Recording } from '../../../../../lib/debugging/recording/format.ts';
import { writeRecording } from '../../../../../lib/debugging/recording/file/parse.ts';
import type { RunRecord } from '../../../../../lib/extension/panel/run/history/run-store.ts';
import type { Panel } from '../../../../../lib/extension/panel/shell/panel.ts';
import type { Action } from '../../../../../lib/platform-api/action.ts';
import type { DataSource } from '../../../../../lib/platform-api/data-source.ts';
import type { Result } from '../../../../../lib/platform-api/errors.ts';

export const recordingOf = (over: Partial<Recording>): Recording => ({
  format: RECORDING_FORMAT,
  version: RECORDING_VERSION,
  startedAt: '2026-11-20T10:00:00.000Z',
  milliseconds: 1,
  engine: 'platform',
  pipeline: [],
  payload: {},
  steps: [{ kind: 'function', path: '/0', at: 0, milliseconds: 1, state: 'completed' }],
  end: { state: 'completed', result: { $: 'undefined' } },
  lost: 0,
  ...over,
});

export const runRecord = (over: Partial<RunRecord>): RunRecord => ({
  id: crypto.randomUUID(),
  subject: 'subject-7',
  title: 'app · action',
  number: 1,
  payload: '{}',
  startedAt: 1,
  state: 'completed',
  milliseconds: 1,
  tracing: 'observed',
  error: null,
  size: 1,
  cut: false,
  recording: { size: 1, lost: 0 },
  ...over,
});

export interface GatherPanelOptions {
  runs?: [Partial<RunRecord>, Partial<Recording> | null][];
  /** By the ID of their log records. */
  onServer?: ReadonlyMap<number, Recording | null>;
  dataSources?: DataSource[];
  url?: string;
  /** ID of the page’s app. */
  pageOf?: number;
  /** Why nothing can be listed, from the store or the log. */
  unlisted?: boolean;
  /** The page’s functions, as source text. */
  functions?: Record<string, string>;
  /** The app’s actions as they are now. */
  actions?: readonly Action[];
  /** What is stored, by subject and name. */
  stored?: Map<string, string>;
  saveFile?: (name: string, text: string) => void;
}

const ENVIRONMENT = { id: 'e', baseUrl: 'https://platform.test' };

const ok = <T>(value: T): Result<T> => ({ ok: true, value });

export function gatherPanel(given: GatherPanelOptions): Panel {
  const { runs = [], onServer = new Map<number, Recording | null>(), dataSources = [], functions = {} } = given;
  const { actions = [], stored: debugging = new Map<string, string>() } = given;
  const stored = runs.map(([record, recording]) => ({ record: runRecord(record), recording }));
  const backend = {
    way: 'rest',
    dataSources: async () => ok(dataSources),
    logs: async () =>
      given.unlisted
        ? { ok: false, error: { code: 'X', message: 'No access.' } }
        : ok({ count: 0, logs: [...onServer.keys()].map((id) => ({ id, hasRecording: true })) }),
  };
  return {
    services: {
      store: {
        list: async (subject: string) => {
          if (given.unlisted) throw new Error('Disk full.');
          return stored.filter(({ record }) => record.subject === subject).map(({ record }) => record);
        },
        debugging: async (subject: string, name: string) => debugging.get(`${subject} ${name}`),
        putDebugging: async (subject: string, name: string, text: string) =>
          void debugging.set(`${subject} ${name}`, text),
      },
      saveFile: given.saveFile,
      inspector: { functionSource: async (name: string) => ok(functions[name] ?? null) },
      send: async (_name: string, { logId }: { logId: number }) =>
        ok({ text: onServer.get(logId) ? writeRecording(onServer.get(logId) as Recording) : 'no JSON' }),
    },
    recordingsOf: {
      of: async ({ id }: RunRecord) => {
        const recording = stored.find(({ record }) => record.id === id)?.recording;
        return recording ? recordingOf(recording) : null;
      },
    },
    runs: { captured: async () => {} },
    subjectOfAction: (id: number) => `subject-${id}`,
    catalog: {
      backend: signal(backend),
      environment: signal(ENVIRONMENT),
      environments: signal({ state: 'ready', value: [ENVIRONMENT] }),
      actions: signal({ state: 'ready', value: actions }),
      appId: signal(1),
      apps: signal({ state: 'ready', value: [{ id: 1, name: 'Field Service' }] }),
    },
    migrating: signal(null),
    page: {
      state: signal({ url: given.url ?? 'https://platform.test/', env: { appId: given.pageOf ?? 1 } }),
      lost: signal(null),
    },
  } as unknown as Panel;
}
