/** Kills the worker at the boundaries of messages, and checks that nothing is lost or doubled, and that no sender waits. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { stopWorker } from '../../../lib/browser-driver/worker.ts';
import type { MessageName } from '../../../lib/extension/messaging/protocol.ts';
import { BOUNDARIES, type Boundary, NAMES } from './cases.ts';
import { bed, faulty, firstRound, logsWith, type Reply, type Round, settled, start } from './world.ts';

/** Milliseconds that a user may wait for a response. */
export const RESPONSE_LIMIT = 5_000;

const MOMENTS = ['when it was sent', 'when the platform received the request', 'when it was answered'] as const;

interface Kill {
  name: MessageName;
  moment: (typeof MOMENTS)[number];
}

const boundaryOf = (name: MessageName): Boundary<MessageName> => BOUNDARIES[name] as Boundary<MessageName>;

/** Each message at each moment that it has, in the order of the rounds. */
export const KILLS: readonly Kill[] = NAMES.flatMap((name) =>
  MOMENTS.filter(
    (moment) => moment !== 'when the platform received the request' || boundaryOf(name).requestPattern,
  ).map((moment) => ({ name, moment })),
);

/** What a message changes, and where. */
function kindOf(name: MessageName): string {
  if (name.startsWith('vault.')) return 'the lock';
  const { requestPattern, done } = boundaryOf(name);
  return `${requestPattern ? 'the platform' : 'the browser'}, ${done ? 'changed' : 'unchanged'}`;
}

/** One kill for each kind of message at each moment. The same seed chooses the same ones. */
export function someKills(seed: number): Kill[] {
  const kinds = Map.groupBy(KILLS, ({ name, moment }) => `${kindOf(name)} ${moment}`);
  const chosen = [...kinds.values()].flatMap((kills) => fc.sample(fc.constantFrom(...kills), { seed, numRuns: 1 }));
  return KILLS.filter((kill) => chosen.includes(kill));
}

/** Kills the worker at this moment of handling a message; returns what its sender received. */
async function killAt(
  moment: Kill['moment'],
  { from, requestPattern }: Boundary<MessageName>,
  name: MessageName,
  takes: unknown,
): Promise<Reply> {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: killed, resolve: letGo } = Promise.withResolvers<void>();
  faulty.gate = (when, { method, path }) => {
    if (
      moment !== 'when the platform received the request' ||
      when !== 'received' ||
      !requestPattern?.test(`${method} ${path}`)
    )
      return undefined;
    // A request that is running when the worker dies continues, as on a real platform.
    reach();
    return killed;
  };
  const { reply } = await start(from, name, takes as never);
  if (moment === 'when it was answered') await reply;
  // A publish responds first, and sends its request then.
  if (moment === 'when the platform received the request')
    await Promise.race([
      reached,
      reply.then(({ response }) =>
        response.ok && name === 'publish.start'
          ? reached
          : Promise.reject(new Error(`${name} sent no request: ${JSON.stringify(response)}`)),
      ),
    ]);
  await stopWorker(bed.extension);
  faulty.gate = () => {};
  letGo();
  return reply;
}
/** How the rounds of kills ended: their number by outcome, and the slowest responses. */
interface Report {
  counts: Record<string, number>;
  slowest: [milliseconds: number, where: string][];
}

/** Kills the worker in one round after the other. @throws Error if something is lost or doubled, or a sender waits */
export async function killAll(kills: readonly Kill[]): Promise<Report> {
  const shared = await firstRound();
  const report: Report = { counts: {}, slowest: [] };
  for (const [index, kill] of kills.entries()) await killOnce(kill, { ...shared, mark: `mark-${index + 1}` }, report);
  await settled();
  for (let round = 1; round <= kills.length; round++)
    expect(await logsWith(`"mark-${round}"`, 'app.publish'), `releases of round ${round}`).toBeLessThanOrEqual(1);
  report.slowest.sort(([a], [b]) => b - a).splice(3);
  console.log(`${kills.length} kills: ${JSON.stringify(report)}`);
  return report;
}

async function killOnce({ name, moment }: Kill, round: Round, report: Report): Promise<void> {
  const boundary = boundaryOf(name);
  const where = `${name}, killed ${moment}`;
  const takes = await boundary.takes(round);
  const changes = () =>
    faulty.requests.filter(({ method, token }) => method !== 'GET' && token === bed.platform.authToken).length;
  const before = changes();
  const { response, took } = await killAt(moment, boundary, name, takes);
  report.slowest.push([Math.round(took), where]);
  const outcome = response.ok ? 'done' : response.error.code;
  report.counts[outcome] = (report.counts[outcome] ?? 0) + 1;
  // A killed worker delays no sender; how long the work itself takes depends on the machine.
  if (moment !== 'when it was answered') expect(took, where).toBeLessThan(RESPONSE_LIMIT);
  if (!response.ok)
    expect(response.error, where).toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/),
      message: expect.stringMatching(/\.$/),
      hint: expect.stringMatching(/\.$/),
    });
  if (moment === 'when it was answered') expect(outcome, where).toBe(boundary.refused ?? 'done');
  expect(changes() - before, `${where}: requests that change something`).toBeLessThanOrEqual(1);
  if (!boundary.done) return;
  const times = await waitFor(`what became of ${where}`, async () => [await boundary.done!(round)]);
  expect(times[0], where).toBeLessThanOrEqual(1);
  if (response.ok) expect(times[0], `${where}, and responded`).toBe(1);
}
