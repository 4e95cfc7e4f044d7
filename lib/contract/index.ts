/** Owns the door of the contract: every resource, limit and error of the platform. */
export * from './action.ts';
export * from './app.ts';
export * from './compile-page.ts';
export * from './environment.ts';
export * from './errors.ts';
export * from './limits.ts';
export * from './session.ts';
