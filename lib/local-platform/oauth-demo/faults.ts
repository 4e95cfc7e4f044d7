/** Tracks a demo service’s active faults. */
import { FAULTS, type Fault, type FaultTarget, type Forget } from './fault-menu.ts';

export interface ActiveFault {
  name: string;
  /** How many more requests the fault applies to. */
  times: number;
  at: FaultTarget[];
  /** Delay in milliseconds, for faults that wait. */
  ms?: number;
}

/** The response to `GET /faults`. */
export interface FaultState {
  next: ActiveFault[];
  /** The most recently applied faults, newest last. */
  struck: { name: string; at: FaultTarget; time: string }[];
  menu: { name: string; at: readonly FaultTarget[]; says: string }[];
}

export interface FaultOptions {
  times: number;
  at?: FaultTarget;
  ms?: number;
}

const MAX_APPLIED = 50;

export class Faults {
  #active: ActiveFault[] = [];
  readonly #applied: FaultState['struck'] = [];
  readonly #forget: (what: Forget) => void;

  constructor(forget: (what: Forget) => void) {
    this.#forget = forget;
  }

  /** Returns false if the fault is unknown or doesn’t apply to this target. */
  activate(name: string, { times, at, ms }: FaultOptions): boolean {
    const fault = Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined;
    if (!fault || (at !== undefined && !fault.at.includes(at))) return false;
    if (fault.forget) {
      this.#forget(fault.forget);
      this.#recordApplied(name, 'now');
      return true;
    }
    const active = {
      name,
      times,
      at: at === undefined ? [...fault.at] : [at],
      ...(fault.wait && { ms: ms ?? fault.wait }),
    };
    this.#active = [...this.#active.filter((each) => each.name !== name), active];
    return true;
  }

  clear(): void {
    this.#active = [];
  }

  /** Returns the first active fault for this target, and decrements its remaining count. */
  take(at: FaultTarget, isPreflight = false): Fault | null {
    const found = this.#active.find((each) => each.at.includes(at) && (!isPreflight || FAULTS[each.name]!.preflight));
    if (!found) return null;
    found.times -= 1;
    if (found.times <= 0) this.#active = this.#active.filter((each) => each !== found);
    this.#recordApplied(found.name, at);
    return { ...FAULTS[found.name]!, ...(found.ms && { wait: found.ms }) };
  }

  isActive(at: FaultTarget): boolean {
    return this.#active.some((each) => each.at.includes(at));
  }

  state(): FaultState {
    return {
      next: this.#active.map((each) => ({ ...each })),
      struck: [...this.#applied],
      menu: Object.entries(FAULTS).map(([name, { at, says }]) => ({ name, at, says })),
    };
  }

  #recordApplied(name: string, at: FaultTarget): void {
    this.#applied.push({ name, at, time: new Date().toISOString() });
    if (this.#applied.length > MAX_APPLIED) this.#applied.shift();
  }
}
