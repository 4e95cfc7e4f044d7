/** Owns the services of a library as the page has them: names, configurations and sessions, asked for and kept, described without secrets. */
import { isArray, mapGet, MapOf, mapSet, now } from '../../agent/pristine.ts';
import { attempt, callMethod, type Fn, isObject, isPromise } from '../../agent/safe.ts';
import { write } from '../../agent/json.ts';
import type { PageService, ServiceSession } from '../contract.ts';
import { type Configured, instanceOf, memberOf, readConfigurations, shortly } from './library.ts';
import type { Mask } from './mask.ts';
import { describeOptions } from './options.ts';
import { describeSession } from './session.ts';

const MOST_SERVICES = 200;
const LONGEST_NAME = 200;

interface Known {
  /** As the page names it, and as it is told. */
  name: string;
  told: string;
  configuration: object | null;
  session: ServiceSession | null;
  written: string;
  known: boolean;
  problem: string | null;
  asked: number;
}

export type Services = ReturnType<typeof createServices>;

export function createServices(fn: Fn, mask: Mask) {
  const list: Known[] = [];
  const byName = new MapOf<string, Known>();
  const byTold = new MapOf<string, Known>();
  let more = 0;
  let readable = false;
  let version = 0;

  function of(name: string): Known | null {
    const there = mapGet(byName, name);
    if (there) return there;
    if (list.length >= MOST_SERVICES) {
      more++;
      return null;
    }
    const plain = mask.plain(name, LONGEST_NAME);
    // Two names that are told alike are told apart by their number.
    const known: Known = {
      name,
      told: mapGet(byTold, plain) ? `${plain} (${list.length + 1})` : plain,
      configuration: null,
      session: null,
      written: '',
      known: false,
      problem: null,
      asked: -Infinity,
    };
    list[list.length] = known;
    mapSet(byName, name, known);
    mapSet(byTold, known.told, known);
    version++;
    return known;
  }
  function take(found: Configured[]): void {
    readable = true;
    for (let i = 0; i < found.length; i++) learn(found[i]!.name, found[i]!.configuration);
  }
  function learn(name: string, configuration: object): void {
    const known = of(name);
    if (!known) return;
    known.configuration = configuration;
    version++;
  }

  function readAll(): void {
    more = 0;
    const answer = attempt(() => callMethod(fn, 'configure', []));
    if (isPromise(answer)) return void later(answer);
    const found = attempt(() => readConfigurations(answer)) ?? null;
    if (found) return take(found);
    // It may tell of one at a time.
    for (let i = 0; i < list.length; i++) {
      const one = attempt(() => callMethod(fn, 'configure', [list[i]!.name]));
      if (isObject(one) && one !== fn && typeof one !== 'function' && !isArray(one)) learn(list[i]!.name, one);
    }
  }
  async function later(answer: Promise<unknown>): Promise<void> {
    try {
      const found = readConfigurations(await answer);
      if (found) take(found);
    } catch {
      // It cannot be read; `readable` says so.
    }
  }

  async function askSession(known: Known): Promise<void> {
    known.asked = now();
    try {
      const instance = instanceOf(fn, known.name);
      if (!instance || typeof memberOf(instance, 'getAuthResponse') !== 'function')
        return settle(known, null, 'The library has no getAuthResponse().');
      settle(known, describeSession(await callMethod(instance, 'getAuthResponse', []), mask), null);
    } catch (thrown) {
      settle(known, null, shortly(thrown, mask));
    }
  }
  function settle(known: Known, session: ServiceSession | null, problem: string | null): void {
    const written = `${problem ?? ''}${write(session)}`;
    if (known.known && written === known.written) return;
    known.session = session;
    known.written = written;
    known.problem = problem;
    known.known = true;
    version++;
  }

  return {
    readAll,
    learn,
    named: of,
    /** @param age milliseconds after which what is known of a session is asked anew */
    readSessions(age: number): void {
      for (let i = 0; i < list.length; i++) if (now() - list[i]!.asked >= age) void askSession(list[i]!);
    },
    /** A name in an event alone makes no service. */
    displayName: (name: string) => mapGet(byName, name)?.told ?? mask.plain(name, LONGEST_NAME),
    byDisplayName: (told: string) => mapGet(byTold, told) ?? null,
    list: () => list,
    version: () => version,
    readable: () => readable,
    more: () => more,
    describe(): PageService[] {
      const told: PageService[] = [];
      for (let i = 0; i < list.length; i++) {
        const { told: name, configuration, session, known, problem } = list[i]!;
        const options = configuration && (attempt(() => describeOptions(configuration, mask)) ?? null);
        told[i] = { name, options, session, sessionKnown: known, sessionProblem: problem };
      }
      return told;
    },
  };
}
