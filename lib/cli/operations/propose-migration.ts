/** Migrates one action to V3 and proves it, without writing anything unless asked. */
import type { Connection } from '../../rest/index.ts';
import { readPlatform } from '../migrate/inputs/platform.ts';
import type { Tokens } from '../command/output.ts';
import type { Place } from '../files.ts';
import { migrationCanceled, provedAction } from '../migrate/migrate-app.ts';
import { maskedJob } from '../migrate/masked.ts';
import { folderName } from '../migrate/output/folder-name.ts';
import { writeAction } from '../migrate/output/write.ts';
import type { Written } from '../migrate/types.ts';

export interface ProposeArgs {
  appId: number;
  /** The action’s name. */
  name: string;
  /** The folder to write to. Null writes nothing. */
  out: Place | null;
}

/** @throws CodedError `ABORTED`, and those of `migrate` */
export async function proposeMigration(
  connection: Connection,
  { appId, name, out }: ProposeArgs,
  { signal, tokens }: { signal: AbortSignal; tokens: Tokens },
): Promise<Written> {
  const [job] = await readPlatform({ connection, appId, names: [name], signal }, new Map());
  const folder = folderName(tokens.mask(name));
  const proved = await provedAction(maskedJob(job!, tokens), folder, { edited: null, signal });
  if (signal.aborted) throw migrationCanceled();
  if (out !== null) await writeAction(out, folder, proved, { force: false, prove: false });
  return proved;
}
