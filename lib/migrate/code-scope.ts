/** Knows the names around each place of the generated code, and collects what the code needs. */
import type { Writes } from './effects.ts';
import { HELPER_NAMES, type HelperName, OWN_NAMES } from './helpers.ts';
import { bracketed, type Doc, line } from './print/doc.ts';
import type { Kind } from './print/kinds.ts';
import type { Scope } from './print/scope.ts';
import { isIdentifier } from './print/literals.ts';

/** Variables for names that a payload could also have. Helpers and statements don’t use the names of these variables. */
const HOISTED: ReadonlyMap<string, string> = new Map([
  ...['Math', 'isNaN', 'parseInt', 'parseFloat', 'Boolean', 'Number'].map((name): [string, string] => [name, name]),
  ['context', 'root'],
  ['JSON', 'json'],
  ['Date', 'date'],
]);
const GLOBAL_NAMES = [
  ...'Platform Headers Array Boolean Date Error JSON Math Number Object Promise RegExp String TypeError URL'.split(' '),
  ...'fetch setTimeout isNaN parseInt parseFloat globalThis console'.split(' '),
];
const TAKEN: ReadonlySet<string> = new Set([...OWN_NAMES, ...HELPER_NAMES, ...GLOBAL_NAMES, ...HOISTED.values()]);

/** Variables by the name of the context whose value they have. */
export type Locals = ReadonlyMap<string, { name: string; kind: Kind }>;

/** What is true of the whole code. */
export interface CodeFacts {
  /** Whether the payload can have keys that the code doesn’t know. */
  isPayloadUnknown: boolean;
  /** Whether a step can write this name into the context. */
  canWrite(name: string): boolean;
}

export class CodeScope implements Scope {
  readonly facts: CodeFacts;
  readonly helpers: Set<HelperName>;
  /** Names read once at the beginning, because a payload’s key comes first. */
  readonly hoisted: Set<string>;
  private readonly locals: Locals;
  /** Other variables of enclosing loops. */
  private readonly taken: ReadonlySet<string>;
  private readonly kinds: Map<string, Kind>;

  constructor(
    facts: CodeFacts,
    from: Partial<Pick<CodeScope, 'helpers' | 'hoisted'>> & {
      locals?: Locals;
      kinds?: Map<string, Kind>;
      taken?: ReadonlySet<string>;
    } = {},
  ) {
    this.facts = facts;
    this.helpers = from.helpers ?? new Set();
    this.hoisted = from.hoisted ?? new Set();
    this.locals = from.locals ?? new Map();
    this.kinds = from.kinds ?? new Map();
    this.taken = from.taken ?? new Set();
  }

  /**
   * A scope for nested steps, without what these names were before.
   * @param names variables around the nested steps: with the names of the context that they replace, or any others
   */
  nested(written: Writes, names: { locals?: Locals; taken?: Iterable<string> } = {}): CodeScope {
    const kinds = new Map(this.kinds);
    const { facts, helpers, hoisted } = this;
    const locals = new Map([...this.locals, ...(names.locals ?? [])]);
    const taken = new Set([...this.taken, ...(names.taken ?? [])]);
    const scope = new CodeScope(facts, { helpers, hoisted, kinds, locals, taken });
    scope.forget(written);
    return scope;
  }

  /** A scope for code outside the steps, which sees only the context. */
  withoutLocals(): CodeScope {
    const { facts, helpers, hoisted } = this;
    return new CodeScope(facts, { helpers, hoisted });
  }

  /** @param except kinds that remain */
  forget(written: Writes, except: ReadonlyMap<string, Kind> = new Map()): void {
    if (written === 'anything') this.kinds.clear();
    else for (const name of written) this.kinds.delete(name);
    for (const [name, kind] of except) this.kinds.set(name, kind);
  }

  know(name: string, kind: Kind): void {
    this.kinds.set(name, kind);
  }

  local(name: string): string | null {
    return this.locals.get(name)?.name ?? null;
  }

  kindOf(name: string): Kind {
    return this.locals.get(name)?.kind ?? this.kinds.get(name) ?? 'unknown';
  }

  global(name: string): string {
    const otherwise = name === 'context' ? 'data' : name;
    const { isPayloadUnknown, canWrite } = this.facts;
    if (!canWrite(name) && !isPayloadUnknown) return otherwise;
    const variable = HOISTED.get(name);
    if (canWrite(name) || variable === undefined) {
      this.use('own');
      return `own(data, '${name}', ${otherwise})`;
    }
    this.hoisted.add(name);
    return variable;
  }

  parameter(name: string): string {
    return this.unused(isIdentifier(name) ? name : 'item');
  }

  use(helper: HelperName): void {
    this.helpers.add(helper);
  }

  /** A name like this one that the code doesn’t use for anything else here. */
  unused(name: string): string {
    const used = new Set([...TAKEN, ...this.taken, ...[...this.locals.values()].map((local) => local.name)]);
    for (let count = 2, candidate = name; ; candidate = `${name}${count++}`) if (!used.has(candidate)) return candidate;
  }
}

/** The statement that reads the hoisted names. */
export function hoistedStatement(names: ReadonlySet<string>): Doc {
  const parts = [...names].sort().map((name) => {
    const variable = HOISTED.get(name);
    if (name === 'context') return `${name}: ${variable} = data`;
    // Its own name would mean the variable itself.
    return variable === name ? `${name} = globalThis.${name}` : `${name}: ${variable} = ${name}`;
  });
  return ['const ', bracketed('{', parts, '}', line), ' = data;'];
}
