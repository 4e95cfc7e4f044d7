/** Signals to the process of a command: the first lets it finish, the second ends it. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { processHost } from '../../../../lib/cli/command/host.ts';

/** Sends signals to a new host only, and not to what runs the tests. */
function hostWith(signal: NodeJS.Signals): { aborted: () => boolean; send: () => void } {
  const emitters = [process, process.stdout, process.stderr] as NodeJS.EventEmitter[];
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'error'];
  const listeners = () =>
    emitters.flatMap((emitter) => names.map((name) => ({ emitter, name, all: emitter.listeners(name) })));
  const before = listeners();
  const host = processHost();
  const added = listeners().map(({ emitter, name, all }, index) => ({
    emitter,
    name,
    own: all.filter((listener) => !before[index]!.all.includes(listener)) as (() => void)[],
  }));
  onTestFinished(() => {
    for (const { emitter, name, own } of added) for (const listener of own) emitter.off(name, listener);
  });
  const own = added.find(({ emitter, name }) => emitter === process && name === signal)!.own;
  return { aborted: () => host.signal.aborted, send: () => own.forEach((listener) => listener()) };
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('the second %s ends the process at once, with the exit code %i', (signal, code) => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  onTestFinished(() => exit.mockRestore());
  const host = hostWith(signal);
  host.send();
  expect(host.aborted()).toBe(true);
  expect(exit).not.toHaveBeenCalled();
  host.send();
  expect(exit).toHaveBeenCalledExactlyOnceWith(code);
});
