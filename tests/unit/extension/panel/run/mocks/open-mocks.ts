/** Opens the mocks of an action, in a store of their own or in a given one. */
import 'fake-indexeddb/auto';
import { signal } from '@preact/signals';
import { createRunStore } from '../../../../../../lib/extension/panel/run/history/run-database.ts';
import type { RunStore } from '../../../../../../lib/extension/panel/run/history/run-store.ts';
import { MockDocuments } from '../../../../../../lib/extension/panel/run/mocks/mock-document.ts';
import { Mocks } from '../../../../../../lib/extension/panel/run/mocks/mocks.ts';

let databases = 0;
export const newStore = (): RunStore => createRunStore(undefined, `mocks-${++databases}`);

export const ACTION = 'https://eu.example/101/7';
export const APP = 'https://eu.example/101';
export const PIPELINE = [
  { functionPackage: 'com.platform.function.read-datasource' },
  { type: 'loop', items: 'records', functions: [{ functionPackage: 'com.platform.function.send-email' }] },
];

export interface MocksOptions {
  store?: Pick<RunStore, 'debugging' | 'putDebugging'>;
  subject?: string | null;
  /** Whether to wait until the stored mocks are loaded. */
  isLoaded?: boolean;
}

export async function openMocks({ store = newStore(), subject = ACTION, isLoaded = true }: MocksOptions = {}) {
  const files: { name: string; text: string }[] = [];
  const action = signal(subject);
  const mocks = new Mocks({
    documents: new MockDocuments(store),
    subject: action,
    pipeline: signal(PIPELINE),
    saveFile: (name, text) => files.push({ name, text }),
  });
  if (isLoaded) await mocks.refresh();
  return { mocks, store, action, files };
}

export const MAIL = 'com.platform.function.send-email';
