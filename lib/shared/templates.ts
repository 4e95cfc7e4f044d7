/** Finds the `{{expressions}}` in a string of a function’s settings. */

export const PLACEHOLDER = /\{\{((?:[^{}]|\{[^{}]*\})*)\}\}/g;

export const expressionsIn = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, source = '']) => source);
