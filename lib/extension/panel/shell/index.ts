/** Owns the door of the panel's state for the entrypoint. */
export { createPanel, type Panel, type PanelOptions } from './panel.ts';
export { createRunStore } from '../run/history/run-store.ts';
