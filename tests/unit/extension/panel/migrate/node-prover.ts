/** Proves V3 code in this process, as a page would. */
import { instrument, prove, recordingOf, strengthOf } from '../../../../../lib/migrate/index.ts';
import type { LoadCode } from '../../../../../lib/migrate/index.ts';
import type { Prover } from '../../../../../lib/extension/panel/migrate/prover.ts';

const load: LoadCode = (code, names) =>
  // oxlint-disable-next-line no-new-func, no-implied-eval -- runs the generated code
  new Function(...names, `'use strict';\n${code}\nreturn execute;`) as ReturnType<LoadCode>;

export const nodeProver: Prover = {
  async prove(task, { onProgress } = {}) {
    onProgress?.(0, task.recordings.length);
    const proof = await prove(task, task.functions, { load, ...task });
    return { ok: true, value: proof };
  },
  strength: async (task) => ({ ok: true, value: await strengthOf(task.code, { load, ...task }) }),
  async record({ code, recordings, dataSources }, index) {
    const recording = recordings[index];
    if (!recording) throw new Error(`no recording ${index}`);
    return { ok: true, value: await recordingOf(instrument(code), recording, { load, dataSources }) };
  },
};
