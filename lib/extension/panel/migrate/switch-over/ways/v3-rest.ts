/** V3 actions over the platform’s REST endpoints, which the background worker calls. */
import type { ActionV3 } from '../../../../../platform-api/actions-v3/record.ts';
import type { Result } from '../../../../../platform-api/errors.ts';
import type { Draft, Firing, V3Port, V3State } from '../../../../../migrate/switch-over/index.ts';
import type { OfApp, Send } from '../../../../messaging/protocol.ts';
import { mapped, outcomeOf, v3Missing } from './outcome.ts';

const PAGE_SIZE = 500;

type Copy = Firing & { active: boolean };

const copyOf = ({ active, triggers, frequency, timezone }: ActionV3): Copy => ({
  active,
  triggers,
  frequency,
  timezone,
});

const stateOfV3 = (action: ActionV3, live: ActionV3 | null): V3State => ({
  ...copyOf(action),
  id: action.id,
  name: action.name,
  code: action.code,
  live: live && copyOf(live),
  revision: action.revision,
});

/** What callers can set. */
export const fieldsOf = ({ triggers, dependencies, ...draft }: Draft) => ({
  ...draft,
  triggers: [...triggers],
  dependencies: [...dependencies],
  active: false as const,
});

export class V3Rest implements V3Port {
  readonly #send: Send;
  readonly #of: OfApp;

  constructor(send: Send, of: OfApp) {
    this.#send = send;
    this.#of = of;
  }

  async read(id: number): Promise<Result<V3State | null>> {
    const read = await this.#named(this.#send('actionsV3.get', this.#address(id)));
    return read.ok ? { ok: true, value: read.value && stateOfV3(read.value.action, read.value.live) } : read;
  }

  async findByName(name: string): Promise<Result<V3State | null>> {
    for (let offset = 0; ; offset += PAGE_SIZE) {
      const page = await this.#named(this.#send('actionsV3.list', { ...this.#of, limit: PAGE_SIZE, offset }));
      if (!page.ok) return page;
      const found = page.value.actions.find((action) => action.name === name);
      if (found) return this.read(found.id);
      if (!page.value.pagination.hasMore || page.value.actions.length === 0) return { ok: true, value: null };
    }
  }

  create(draft: Draft): Promise<Result<V3State>> {
    const created = this.#send('actionsV3.create', { ...this.#of, action: fieldsOf(draft) });
    return outcomeOf(mapped(this.#named(created), (action) => stateOfV3(action, null)));
  }

  /** The response doesn’t say what is live, which a late request could have changed before. */
  update(seen: V3State, { active, triggers, frequency, timezone }: Copy): Promise<Result<V3State>> {
    const change = { active, triggers: [...triggers], frequency, timezone };
    const updated = this.#send('actionsV3.update', { ...this.#address(seen.id), change, ...revised(seen) });
    return outcomeOf(updated.then((result) => (result.ok ? this.#changed(seen.id) : result)));
  }

  publish(seen: V3State): Promise<Result<V3State>> {
    const published = this.#send('actionsV3.publish', { ...this.#address(seen.id), ...revised(seen) });
    return outcomeOf(mapped(published, (live) => stateOfV3(live, live)));
  }

  unpublish({ id }: V3State): Promise<Result<null>> {
    return outcomeOf(this.#send('actionsV3.unpublish', this.#address(id)));
  }

  remove({ id }: V3State): Promise<Result<null>> {
    return outcomeOf(this.#send('actionsV3.remove', this.#address(id)));
  }

  run(id: number, payload: Record<string, unknown>): Promise<Result<null>> {
    return outcomeOf(mapped(this.#send('actionsV3.run', { ...this.#address(id), payload }), () => null));
  }

  async #changed(id: number): Promise<Result<V3State>> {
    const read = await this.read(id);
    if (read.ok && read.value) return { ok: true, value: read.value };
    const why = read.ok ? 'the platform reports none with its ID' : read.error.message;
    return { ok: false, error: { code: 'OUTCOME_UNKNOWN', message: `Couldn’t read the changed V3 action: ${why}` } };
  }

  #address(actionId: number): OfApp & { actionId: number } {
    return { ...this.#of, actionId };
  }

  /** A platform without V3 has none of its endpoints. */
  async #named<T>(response: Promise<Result<T>>): Promise<Result<T>> {
    const result = await response;
    if (result.ok) return result;
    const { code, status, said } = result.error;
    const isMissing = code === 'ENDPOINT_MISSING' || (status === 404 && said?.code === 'NOT_FOUND');
    return isMissing ? { ok: false, error: v3Missing('Platform') } : result;
  }
}

const revised = ({ revision }: V3State): { revision?: number } => (revision === undefined ? {} : { revision });
