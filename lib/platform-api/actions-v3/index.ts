/** App Actions V3: the resource, its rules, its packages, and the profiles of installations. */
export * from './check-code.ts';
export * from './input.ts';
export * from './packages.ts';
export * from './profiles.ts';
export * from './record.ts';
export * from './script.ts';
