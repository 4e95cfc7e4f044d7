/** Wraps an action’s code in a script that hands its `execute` function to the runtime. */
import { DEFAULT_NAMESPACE } from '../limits.ts';

/** The key of the only code on a debug page, or in a run’s process. */
export const ONLY_CODE = 'execute';

/**
 * The lines stay where they are in the code. The code’s names stay its own, so a page can load the code of several
 * actions.
 * @param code must have passed `checkCode`, so that it can’t end the function around it
 */
export const codeScript = (code: string, key = ONLY_CODE): string =>
  `${DEFAULT_NAMESPACE}.App.V3.Actions.Code.register(${JSON.stringify(key)}, (() => { ${code}\nreturn execute; })());\n`;
