/** A store for runs that masks secrets in what it’s given. */
import type { RunStore } from '../history/run-store.ts';
import type { RunMask } from './run-mask.ts';

export function maskedStore(store: RunStore, mask: RunMask): RunStore {
  return {
    list: (subject) => store.list(subject),
    get: (id) => store.get(id),
    put: async (record) => store.put(await mask.record(record)),
    append: async (id, events) => store.append(id, await mask.data(events)),
    events: (id) => store.events(id),
    putRecording: async (id, recording) => store.putRecording(id, await mask.recording(recording)),
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
