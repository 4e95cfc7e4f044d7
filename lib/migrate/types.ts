/** What a migration from V2 to V3 takes and returns. */
import type { Pipeline } from '../pipeline/types.ts';

/** The parts of a V2 action that a migration reads. */
export interface V2Action {
  name: string;
  functions: Pipeline;
  environment?: 'server' | 'client' | 'any';
  triggers?: { trigger: string; where?: Record<string, unknown> | undefined }[];
  frequency?: string | null;
  timezone?: string | null;
  pageId?: number | null;
}

export interface MigrationOptions {
  /** Source code of function packages that aren’t the platform’s own, by name. */
  sources?: ReadonlyMap<string, string>;
  /** IDs of data sources by name, which V3 needs. */
  dataSources?: ReadonlyMap<string, number>;
}

/**
 * How a step was translated. `idiomatic`: as one would write it. `faithful`: with a helper or another form that keeps
 * V2’s meaning. `needs-person`: the code throws here until a person decides. `blocked`: it can’t be translated.
 */
export type Level = 'idiomatic' | 'faithful' | 'needs-person' | 'blocked';

export interface StepReport {
  /** JSON Pointer into the V2 pipeline. */
  path: string;
  /** The package of a function step, or the kind of any other step. */
  name: string;
  level: Level;
  /** Why the level isn’t `idiomatic`, and what else to know. */
  reasons: string[];
  /** 1-based line of the step’s comment in the code. Null if the step isn’t in the code. */
  line: number | null;
}

/** All properties of the V3 action, written out, because V3’s defaults are different. */
export interface V3Draft {
  name: string;
  description: string | null;
  active: false;
  environment: 'server' | 'client' | 'any';
  triggers: { trigger: string; where?: Record<string, unknown> | undefined }[];
  dependencies: string[];
  frequency: string | null;
  timezone: string | null;
  actionVersion: 'v3';
}

export interface Migration {
  /** `action.v3.js`: one async function named `execute`. */
  code: string;
  /** `action.v3.json`, without the code. */
  action: V3Draft;
  report: MigrationReport;
}

export interface MigrationReport {
  format: 'platform-devtools/migration';
  version: 1;
  name: string;
  /** The worst level of the steps. */
  level: Level;
  steps: StepReport[];
  /** About the action as a whole. */
  notes: string[];
}
