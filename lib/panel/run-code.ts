/** Owns the door of what is loaded with the first run: a panel opens sooner without it. */
export { readRunFile, writeRunFile } from './run-file.ts';
export { addEvents, createTrace, endTrace } from './trace.ts';
export { toJson } from './value-json.ts';
