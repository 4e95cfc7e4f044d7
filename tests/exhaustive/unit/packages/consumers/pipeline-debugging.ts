/** Uses the types of the debugging module as a project that installs it would. */
import {
  checkMocks,
  maskRecording,
  type Mock,
  parseRecording,
  record,
  type Recording,
  replay,
  replayWith,
  testOf,
  writeRecording,
} from '@platform-devtools/pipeline/debugging';

const mocks: Mock[] = [{ target: { package: 'a' }, outcome: { value: [1, null] }, delay: 10 }];
checkMocks(mocks, [{ function: 'a' }]) satisfies { code: string; message: string }[];
export async function run(text: string): Promise<void> {
  const parsed = parseRecording(text);
  if (!parsed.ok) return console.log(parsed.error.code, parsed.error.hint);
  const recording: Recording = maskRecording(parsed.value, ['a secret']);
  const end = await replay(recording);
  if (end.state === 'diverged') console.log(end.divergence.path, end.divergence.replayed);
  if (end.state === 'failed') console.log(end.error.code, end.error.path);
  const { recording: changed } = await replayWith(recording, { pipeline: [], payload: { a: 1 }, mocks });
  const { recording: own } = await record([{ function: 'a' }], { functions: new Map([['a', () => 1]]) });
  console.log(writeRecording(changed), own.steps[0]?.path, (await testOf(own)).test);
}
// @ts-expect-error a mock has a target
export const untargeted: Mock = { outcome: { skip: true } };
