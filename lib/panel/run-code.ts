/** Owns the door of what is loaded with the first run: a panel opens sooner without it. */
export { readRunFile, writeRunFile } from './run-file.ts';
export { endOf, storedRun, takeUp } from './run-stored.ts';
export { addEvents, createTrace, endTrace } from './trace.ts';
export { toJson } from './value-json.ts';
