/** Owns the door of what is loaded with the first run: a panel opens sooner without it. */
export { readRunFile, writeRunFile } from './history/run-file.ts';
export { endOf, storedRun, takeUp } from './history/run-stored.ts';
export { addEvents, createTrace, endTrace } from './trace.ts';
export { toJson } from '../shared/value-json.ts';
