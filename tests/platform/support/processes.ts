/** Starts platforms and workers as separate processes, and sends them requests. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { ask as askPlatform } from '../../support/ask.ts';

export interface Running {
  child: ChildProcess;
  /** Empty for a worker. */
  baseUrl: string;
}

/** What the platforms accept. */
export const TOKEN = 'the-token-of-this-test';

/** Resolves when it is ready; killed when the test ends. */
export async function command(args: string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const child = spawn(process.execPath, ['lib/cli/bin.ts', 'platform', ...args], {
    env: { ...process.env, PLATFORM_AUTH_TOKEN: TOKEN, SMTP_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  while (!out.includes('\n')) {
    const [chunk] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [null])])) as [
      Buffer | null,
    ];
    if (chunk === null) throw new Error('It ended before it was ready.');
    out += chunk.toString();
  }
  return { child, baseUrl: args.includes('--json') ? (JSON.parse(out) as { baseUrl: string }).baseUrl : '' };
}

/** @throws Error when the response is a refusal */
export const ask = <T>(baseUrl: string, path: string, body?: object): Promise<T> =>
  askPlatform<T>({ baseUrl, authToken: TOKEN }, `/v1/${path}`, body && 'POST', body);

/** Resolves with the exit code, or the signal that ended it. */
export async function end({ child }: Running, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
  return child.exitCode ?? child.signalCode!;
}
