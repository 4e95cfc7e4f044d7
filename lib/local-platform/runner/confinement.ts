/**
 * Finds the strongest operating-system sandbox for a run’s process: no network, a different user, killed with the
 * platform.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { STEP_FILE_SIZE } from './step-file.ts';

export interface Confinement {
  /** The command that starts Node in the sandbox, with its arguments. Empty if the system has no sandbox. */
  prefix: readonly string[];
  /** The process has a separate, empty network namespace. */
  network: boolean;
  /** The process runs as a user who can’t read the platform’s files or signal its processes. */
  user: boolean;
  /** The process ends with the platform, even if the platform crashes. */
  linked: boolean;
}

const NOBODY = '65534';
const PROBE_TIMEOUT = 5_000;
/** The unit of `ulimit -f`, in bytes. */
const BLOCK = 512;
const NOTHING: Confinement = { prefix: [], network: false, user: false, linked: false };

let found: Promise<Confinement> | undefined;

/** The strongest sandbox available to this user on this machine. Probed once per process. */
export function findConfinement(): Promise<Confinement> {
  return (found ??= firstSupported(candidates()));
}

/** Strongest first. */
export function candidates(): Confinement[] {
  if (process.platform === 'win32') return [NOTHING];
  const unshare = tool('unshare');
  const setpriv = tool('setpriv');
  const root = process.getuid?.() === 0;
  const dropped = ['--pdeathsig', 'KILL', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
  const linked = setpriv ? [setpriv, '--pdeathsig', 'KILL', '--no-new-privs'] : [];
  const asNobody = setpriv ? [setpriv, ...dropped, '--reuid', NOBODY, '--regid', NOBODY, '--clear-groups'] : [];
  const all: Confinement[] = [];
  if (root && unshare && setpriv)
    all.push({ prefix: [unshare, '--net', '--', ...asNobody], network: true, user: true, linked: true });
  if (!root && unshare && setpriv)
    all.push({
      prefix: [unshare, '--user', '--map-root-user', '--net', '--', setpriv, ...dropped],
      network: true,
      user: false,
      linked: true,
    });
  if (root && setpriv) all.push({ prefix: asNobody, network: false, user: true, linked: true });
  if (setpriv) all.push({ prefix: linked, network: false, user: false, linked: true });
  return [...all, NOTHING];
}

/** `ulimit` ends an orphaned process that is stuck in a loop, and keeps it from writing more than its last steps. */
export function confinedCommand(
  { prefix }: Confinement,
  cpuSeconds: number,
  command: readonly string[],
): [string, string[]] {
  const fullCommand = [...prefix, ...command];
  if (process.platform === 'win32') return [fullCommand[0]!, fullCommand.slice(1)];
  return [
    '/bin/sh',
    [
      '-c',
      `ulimit -t ${cpuSeconds}; ulimit -c 0; ulimit -f ${STEP_FILE_SIZE / BLOCK}; exec "$@"`,
      'sh',
      ...fullCommand,
    ],
  ];
}

async function firstSupported(all: Confinement[]): Promise<Confinement> {
  for (const each of all) if (await works(each)) return each;
  return NOTHING;
}

function works(confinement: Confinement): Promise<boolean> {
  const [program, args] = confinedCommand(confinement, 10, [process.execPath, '--version']);
  return new Promise((resolve) => {
    execFile(program, args, { env: {}, cwd: '/', timeout: PROBE_TIMEOUT }, (error) => resolve(error === null));
  });
}

function tool(name: string): string | null {
  for (const folder of ['/usr/bin', '/bin', '/usr/sbin', '/sbin']) {
    try {
      accessSync(`${folder}/${name}`, constants.X_OK);
      return `${folder}/${name}`;
    } catch {
      // Try the next folder.
    }
  }
  return null;
}
