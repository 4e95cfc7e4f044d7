/**
 * Executes a run in a realm of the test process: the same scripts as in a run’s own process (runner/child.cjs), for a
 * tenth of its processor time. For runs that can be trusted: an endless loop would never end.
 */
import crypto from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import vm from 'node:vm';
import type { Child, End, StartChild } from '../../../lib/local-platform/runner/child.ts';
import { runtimeScript } from '../../../lib/local-platform/runner/script.ts';
import { openStepFile, type StepFile } from '../../../lib/local-platform/runner/step-file.ts';

const CHILD = new URL('../../../lib/local-platform/runner/child.cjs', import.meta.url);
const BOOT = `(function (require, process, globalThis) {${readFileSync(CHILD, 'utf8')}\n})`;
type Boot = (require: (name: string) => unknown, process: object, globals: object) => void;

export const inProcessChild: StartChild = async () => {
  const runtime = await runtimeScript();
  return new Promise((resolve) => {
    const child = connect();
    child.listen(
      () => resolve(child),
      () => {},
    );
    void child.send(JSON.stringify(runtime));
  });
};

function connect(): Child {
  const steps = openStepFile();
  const gone = Promise.withResolvers<void>();
  let onLine: (line: string) => void = () => {};
  let onEnd: Parameters<Child['listen']>[1] = () => {};
  let isOver = false;
  /** Lines arrive later and in order, as through a pipe. */
  const say = (line: string): void => void setImmediate(() => isOver || onLine(line));
  const realm = bootRealm(say, steps);
  const end = (how: End): void => {
    if (isOver) return;
    isOver = true;
    realm.stop();
    setImmediate(() => {
      onEnd(how, '', steps.read);
      steps.close();
      gone.resolve();
    });
  };
  return {
    pid: -1,
    send: (line) =>
      new Promise((resolve) =>
        setImmediate(() => {
          if (!isOver) realm.receive(line);
          resolve();
        }),
      ),
    listen: (line, ended) => {
      onLine = line;
      onEnd = ended;
    },
    kill: () => end('killed'),
    gone: gone.promise,
  };
}

interface Realm {
  receive(line: string): void;
  /** Nothing in it runs after this. */
  stop(): void;
}

/** Runs the script of a run’s process in a realm, with the little of Node that it uses. */
function bootRealm(say: (line: string) => void, steps: StepFile): Realm {
  const timers = new Set<NodeJS.Timeout>();
  let receive: (text: string) => void = () => {};
  let unfinished = '';
  const write = (fd: number, bytes: Buffer, offset: number, length?: number, at?: number): number => {
    if (fd !== 1) return writeSync(steps.stdio as number, bytes, offset, length!, at);
    const lines = (unfinished + bytes.subarray(offset).toString()).split('\n');
    unfinished = lines.pop()!;
    for (const line of lines) say(line);
    return bytes.length - offset;
  };
  const modules: Record<string, unknown> = {
    'node:fs': { writeSync: write },
    'node:crypto': crypto,
    'node:vm': vm,
    'node:net': { Socket: { prototype: {} }, Server: { prototype: {} } },
    'node:module': { prototype: {} },
  };
  const stdin = {
    setEncoding: () => {},
    on: (event: string, listener: (text: string) => void) => {
      if (event === 'data') receive = listener;
    },
  };
  const globals = {
    URL,
    Buffer,
    performance,
    setTimeout: (callback: () => void, ms: number) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        callback();
      }, ms);
      timers.add(timer);
      return timer;
    },
    clearTimeout,
  };
  const boot = new vm.Script(BOOT, { filename: CHILD.pathname }).runInContext(vm.createContext({})) as Boot;
  boot((name) => modules[name], { stdin, exit: () => {}, on: () => {} }, globals);
  return { receive: (line) => receive(`${line}\n`), stop: () => timers.forEach((timer) => clearTimeout(timer)) };
}
