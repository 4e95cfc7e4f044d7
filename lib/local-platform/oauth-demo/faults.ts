/** Owns which faults a demo service has armed, and what became of them. */
import { FAULTS, type Fault, type Forget, type Place } from './fault-menu.ts';

export interface Armed {
  name: string;
  /** How many exchanges it still strikes. */
  times: number;
  at: Place[];
  /** Of a fault that waits: how many milliseconds. */
  ms?: number;
}
/** What `GET /faults` answers. */
export interface FaultState {
  next: Armed[];
  /** The last ones that struck, newest last. */
  struck: { name: string; at: Place; time: string }[];
  menu: { name: string; at: readonly Place[]; says: string }[];
}

const MOST_REMEMBERED = 50;

export interface Faults {
  /** @returns false when there is no such fault, or not at that place */
  arm(name: string, how: { times: number; at?: Place; ms?: number }): boolean;
  clear(): void;
  /** The first armed fault that strikes here; it is used up by one. */
  take(at: Place, preflight?: boolean): Fault | null;
  /** Whether anything waits for this place. */
  waits(at: Place): boolean;
  state(): FaultState;
}

export function createFaults(forget: (what: Forget) => void): Faults {
  let armed: Armed[] = [];
  const struck: FaultState['struck'] = [];
  const remember = (name: string, at: Place): void => {
    struck.push({ name, at, time: new Date().toISOString() });
    if (struck.length > MOST_REMEMBERED) struck.shift();
  };
  return {
    arm(name, { times, at, ms }) {
      const fault = Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined;
      if (!fault || (at !== undefined && !fault.at.includes(at))) return false;
      if (fault.forget) {
        forget(fault.forget);
        remember(name, 'now');
        return true;
      }
      armed = [
        ...armed.filter((each) => each.name !== name),
        { name, times, at: at === undefined ? [...fault.at] : [at], ...(fault.wait && { ms: ms ?? fault.wait }) },
      ];
      return true;
    },
    clear: () => void (armed = []),
    take(at, preflight = false) {
      const found = armed.find((each) => each.at.includes(at) && (!preflight || FAULTS[each.name]!.preflight));
      if (!found) return null;
      found.times -= 1;
      if (found.times <= 0) armed = armed.filter((each) => each !== found);
      remember(found.name, at);
      return { ...FAULTS[found.name]!, ...(found.ms && { wait: found.ms }) };
    },
    waits: (at) => armed.some((each) => each.at.includes(at)),
    state: () => ({
      next: armed.map((each) => ({ ...each })),
      struck: [...struck],
      menu: Object.entries(FAULTS).map(([name, { at, says }]) => ({ name, at, says })),
    }),
  };
}
