/** Code of a repository runs only where it’s confined, or once the user has trusted the repository. */
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CliContext } from '../../../../lib/cli/command/context.ts';
import { type MigrateFlags, readMigrateOptions } from '../../../../lib/cli/migrate/arguments.ts';
import type { Confinement } from '../../../../lib/local-platform/runner/confinement.ts';
import { type CliOptions, testHost } from '../../../support/run-cli.ts';

const NO_SANDBOX: Confinement = { prefix: [], network: false, user: false, linked: false };

/** A repository with code in folders, and a user’s configuration. */
async function repository() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'trust-')));
  onTestFinished(() => rm(root, { recursive: true }));
  const [home, folder] = [join(root, 'home'), join(root, 'cloned')];
  await mkdir(join(folder, 'migrated/a'), { recursive: true });
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, 'double.js'), '');
  await writeFile(join(folder, 'a.json'), '{}');
  const prove: MigrateFlags = { actionFile: [join(folder, 'a.json')], out: join(folder, 'migrated'), prove: true };
  const migrate = (flags: MigrateFlags, options: CliOptions = {}) => {
    const env = { PLATFORM_DEVTOOLS_HOME: home };
    const context = new CliContext(testHost({ env, confinement: NO_SANDBOX, ...options }), {});
    return readMigrateOptions(flags, context).then(
      () => 'trusted',
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );
  };
  return { root, home, folder, prove, migrate };
}

test('without a terminal, code of a repository needs --trust, which is remembered for it', async () => {
  const { home, folder, prove, migrate } = await repository();
  const refusal = `CODE_NOT_TRUSTED: Couldn’t run the code in ${folder}: this system can’t keep it from the network.`;
  expect(await migrate(prove)).toBe(refusal);
  const { prove: _, ...generated } = prove;
  const source = { ...generated, source: [`com.acme.double=${join(folder, 'double.js')}`] };
  expect(await migrate(source)).toBe(refusal);
  expect(await migrate({ ...prove, trust: true })).toBe('trusted');
  expect([await migrate(prove), await migrate(source)]).toEqual(['trusted', 'trusted']);
  expect(JSON.parse(await readFile(join(home, 'trust.json'), 'utf8'))).toEqual({ folders: [folder] });
});

test('on a terminal, it asks, and remembers no refusal', async () => {
  const { prove, migrate } = await repository();
  const terminal = { isTerminal: { in: true, out: true, error: true }, signal: AbortSignal.abort() };
  expect(await migrate(prove, terminal)).toBe('ABORTED: Nothing was run.');
  expect(await migrate(prove)).toContain('CODE_NOT_TRUSTED');
});

test('another repository isn’t trusted with it, also behind a link, or with a project file of its own', async () => {
  const { root, folder, prove, migrate } = await repository();
  await migrate({ ...prove, trust: true });
  const other = join(root, 'other');
  await mkdir(join(other, 'migrated'), { recursive: true });
  await symlink(join(other, 'migrated'), join(folder, 'linked'));
  expect(await migrate({ ...prove, out: join(folder, 'linked') })).toContain(
    `CODE_NOT_TRUSTED: Couldn’t run the code in ${join(other, 'migrated')}:`,
  );
  await writeFile(join(other, 'platform-devtools.json'), '{}');
  expect(await migrate({ ...prove, out: join(other, 'migrated') })).toContain(`in ${other}:`);
});

test('nothing is asked for code that the command has generated, or where the system confines it', async () => {
  const { prove, migrate } = await repository();
  expect(await migrate({ ...prove, prove: false })).toBe('trusted');
  expect(await migrate(prove, { confinement: { ...NO_SANDBOX, network: true } })).toBe('trusted');
});
