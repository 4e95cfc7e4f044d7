/** Owns the door of the contract: every resource, limit and error of the platform. */
export * from './action-input.ts';
export * from './action.ts';
export * from './analytics.ts';
export * from './app.ts';
export * from './compile-page.ts';
export * from './cron.ts';
export * from './environment.ts';
export * from './errors.ts';
export * from './limits.ts';
export * from './log.ts';
export * from './names.ts';
export * from './plain-object.ts';
export * from './run-outcome.ts';
export * from './run.ts';
export * from './session.ts';
export * from './where.ts';
