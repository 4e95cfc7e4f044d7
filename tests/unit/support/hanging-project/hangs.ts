import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'vitest';

test('a test that never finishes', async () => {
  const script = 'setInterval(() => {}, 1000)';
  const { pid } = spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' });
  writeFileSync(process.env['HANGING_PID_FILE']!, JSON.stringify([pid, tmpdir()]));
  await new Promise(() => {});
});
