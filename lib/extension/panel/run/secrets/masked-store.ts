/** A store for runs that masks secrets in what it’s given. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import { writeRecording } from '../../../../debugging/recording/file/parse.ts';
import type { RunRecord, RunStore } from '../history/run-store.ts';
import type { RunMask } from './run-mask.ts';

export function maskedStore(store: RunStore, mask: RunMask): RunStore {
  return {
    list: (subject) => store.list(subject),
    get: (id) => store.get(id),
    put: async (record) => store.put(await mask.record(record)),
    append: async (id, events) => store.append(id, await mask.data(events)),
    events: (id) => store.events(id),
    putRecording: (id, text) => putMasked(store, mask, id, text),
    recording: (id) => store.recording(id),
    clearEvents: (id) => store.clearEvents(id),
    remove: (id) => store.remove(id),
    pin: (id, pinned) => store.pin(id, pinned),
    enforceLimits: (current) => store.enforceLimits(current),
    nextNumber: (subject) => store.nextNumber(subject),
    payloads: (subject) => store.payloads(subject),
    savePayload: (payload) => store.savePayload(payload),
    removePayload: (subject, name) => store.removePayload(subject, name),
    debugging: (subject, name) => store.debugging(subject, name),
    putDebugging: (subject, name, text) => store.putDebugging(subject, name, text),
    countQuarantined: () => store.countQuarantined(),
  };
}

/** @throws if the text isn’t JSON */
async function putMasked(store: RunStore, mask: RunMask, id: string, text: string): Promise<RunRecord | undefined> {
  const masked = await mask.recording(JSON.parse(text) as Recording);
  return store.putRecording(id, writeRecording(masked), masked.lost);
}
