/** What the command `migrate` takes and returns. */
import type { ProfileName } from '../../platform-api/actions-v3/profiles.ts';
import type { EffectsInput, EffectsReport } from './effects/types.ts';
import type { Proof, ProvedReport, Strength, V2Action, V3Draft } from '../../migrate/index.ts';
import type { Recording } from '../../debugging/recording/format.ts';
import type { ErrorValue } from '../../platform-api/coded-error.ts';
import type { Connection } from '../../rest/index.ts';
import type { Tokens } from '../command/output.ts';
import type { Place } from '../files.ts';

/** An action to migrate, with what is known about it. */
export interface ReadJob {
  action: V2Action;
  recordings: Recording[];
  /** Source code of user function packages, by name. */
  sources: ReadonlyMap<string, string>;
  /** IDs of data sources by name. */
  dataSources: ReadonlyMap<string, number>;
}

/** Without tokens. */
export interface Job extends ReadJob {
  /** JSON Pointers to the texts of the action in which one is masked. Empty for one in another text. */
  masked: string[];
}

export interface MigrateOptions {
  /** A platform that lists its actions over REST, or files with one action each. */
  from: { connection: Connection; appId: number; names: readonly string[] } | { files: readonly string[] };
  /** Files with the source code of user function packages, by package. */
  sources: ReadonlyMap<string, string>;
  /** A folder with exported recordings. */
  recordings: string | null;
  /** The folder to write to. */
  out: Place;
  /** Overwrites files that something else has written or changed. */
  force: boolean;
  /** Proves the code in the folder, which can have been edited, and writes the reports and the code’s dependencies. */
  prove: boolean;
  /** Also runs both versions of each action on two local platforms. */
  effects: boolean;
  /** Of V3, with which they run. Default: all. */
  profiles?: readonly ProfileName[];
  /** For proving one action, in milliseconds. */
  timeLimit?: number;
  /** Aborting it ends the migration after the action that is being written. */
  signal?: AbortSignal | undefined;
  /** Masked in all that is written. */
  tokens: Tokens;
}

/** What is known about migrated code. */
export interface Proved {
  proof: Proof;
  strength: Strength;
  /** With which both versions can really run. */
  inputs: EffectsInput[];
}

/** The content of `report.json`. */
export interface ActionReport extends ProvedReport {
  /** SHA-256 of what the migration generates, hex-encoded. Edited files have others. */
  generated: { code: string; draft: string };
  /** One for each profile of V3, if both versions really ran. */
  effects?: EffectsReport[];
}

/** An action, migrated or not. */
export type MigratedAction = {
  name: string;
  /** The name of its folder. */
  folder: string;
} & ({ report: ActionReport } | { error: ErrorValue });

export interface Written {
  code: string;
  draft: V3Draft;
  report: ActionReport;
}

/** An action that is proved, but not written yet. */
export interface ProvedAction extends Written, Pick<Proved, 'inputs'> {}
