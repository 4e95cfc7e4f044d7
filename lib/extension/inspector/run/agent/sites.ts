/** Remembers the steps of a pipeline that have started, so that what their definitions determine is described once. */
import { mapGet, MapOf, mapSet } from '../../agent/pristine.ts';
import { writtenLength } from '../../agent/json.ts';
import type { CompactValue } from '../../compact-value.ts';
import { type Definition, STEP_KINDS } from '../event-format.ts';
import type { Site } from './run-log.ts';

/** Steps beyond these many are described each time. */
const MAX_SITES = 10_000;

/** A step as reported by the engine or a wrapped call. All of its data is untrusted. */
export interface ReportedStep {
  path: unknown;
  iteration: unknown;
  kind: unknown;
  name: unknown;
  settings: unknown;
  context: unknown;
  /** The step in the pipeline; undefined if unknown. Its settings don't change during a run. */
  step: unknown;
}
interface KnownSite extends Site {
  settings: unknown;
}

export class Sites {
  readonly #describe: (settings: unknown) => CompactValue;
  readonly #known = new MapOf<object, KnownSite>();
  #count = 0;

  constructor(describe: (settings: unknown) => CompactValue) {
    this.#describe = describe;
  }

  siteOf(reported: ReportedStep): Site {
    const { step, settings } = reported;
    const kind = reported.kind === 'loop' ? 1 : reported.kind === 'if' ? 2 : 0;
    const path = typeof reported.path === 'string' ? reported.path : null;
    const name = typeof reported.name === 'string' ? reported.name : STEP_KINDS[kind]!;
    if (typeof step !== 'object' || step === null) return this.#create(0, path, kind, name, settings);
    const known = mapGet(this.#known, step);
    if (known && known.settings === settings && isDefinition(known.definition, path, kind, name)) return known;
    if (this.#count >= MAX_SITES) return this.#create(0, path, kind, name, settings);
    const site = this.#create(++this.#count, path, kind, name, settings);
    mapSet(this.#known, step, site);
    return site;
  }

  #create(id: number, path: string | null, kind: number, name: string, settings: unknown): KnownSite {
    const described = this.#describe(settings);
    const size = 20 + name.length + (path?.length ?? 0) + writtenLength(described);
    return { definition: [id, path, kind, name, described], size, batch: 0, settings };
  }
}

function isDefinition(definition: Definition, path: string | null, kind: number, name: string): boolean {
  return definition[1] === path && definition[2] === kind && definition[3] === name;
}
