/** Creates one version of an action on a platform, runs it, and reads what the run did. */
import { V3_PROFILES, type ProfileName } from '../../../platform-api/actions-v3/profiles.ts';
import { STOPPED } from '../../../local-platform/runner/index.ts';
import { isRecord } from '../../../shared/objects.ts';
import type { V2Action } from '../../../migrate/index.ts';
import type { Written } from '../types.ts';
import type { Clone, Response } from './clone.ts';
import type { End, RunEffects } from './differences.ts';

const MANUAL = [{ trigger: 'manual' }];

/** The run can’t be compared, because of this reason. */
export class UnknownEffects extends Error {}

/** A version of an action on its platform. */
export class ActionRun {
  readonly #clone: Clone;
  readonly #path: string;
  readonly #hasEnvelope: boolean;

  private constructor(clone: Clone, path: string, hasEnvelope: boolean) {
    this.#clone = clone;
    this.#path = path;
    this.#hasEnvelope = hasEnvelope;
  }

  /** @throws UnknownEffects if the platform refuses the action */
  static async v2(clone: Clone, appId: number, { name, functions }: V2Action): Promise<ActionRun> {
    const path = `/v1/apps/${appId}/actions`;
    const body = { name, functions, environment: 'server', triggers: MANUAL };
    return ActionRun.#created(clone, path, 'V2', body);
  }

  /** The draft as it’s written, then activated, with a trigger for the run. @throws UnknownEffects */
  static async v3(clone: Clone, appId: number, { code, draft }: Written, profile: ProfileName): Promise<ActionRun> {
    const path = `/v3/apps/${appId}/actions`;
    const run = await ActionRun.#created(clone, path, 'V3', { ...draft, code }, V3_PROFILES[profile].hasEnvelope);
    const change = { active: true, environment: 'server', triggers: MANUAL, frequency: null };
    const changed = await clone.ask('PUT', run.#path, change);
    if (changed.status !== 200) throw new UnknownEffects(`V3 refuses to activate the action: ${messageOf(changed)}`);
    return run;
  }

  static async #created(
    clone: Clone,
    path: string,
    version: string,
    body: object,
    hasEnvelope = false,
  ): Promise<ActionRun> {
    const created = await clone.ask('POST', path, body);
    if (created.status !== 201) throw new UnknownEffects(`${version} refuses the action: ${messageOf(created)}`);
    const { id } = (created.body as { action: { id: number } }).action;
    return new ActionRun(clone, `${path}/${id}`, hasEnvelope);
  }

  /** @throws UnknownEffects if the run doesn’t end, or the platform refuses it */
  async run(payload: Record<string, unknown>): Promise<RunEffects> {
    this.#clone.effects.length = 0;
    const end = this.#endOf(await this.#clone.ask('POST', `${this.#path}/run-with-result?by=id`, { payload }));
    return { effects: [...this.#clone.effects], end };
  }

  async remove(): Promise<void> {
    await this.#clone.ask('DELETE', `${this.#path}?by=id`);
  }

  #endOf(response: Response): End {
    const { status, body } = response;
    const { result, details, error } = body as { result?: unknown; details?: unknown; error?: string };
    if (status === 200 && !this.#hasEnvelope) return { result };
    if (status === 200 && isRecord(result) && result.success === true) return { result: result.data };
    if (error === 'TIMEOUT') throw new UnknownEffects('The run doesn’t end in time.');
    if (!isRecord(details) || typeof details.errorType !== 'string') throw new UnknownEffects(messageOf(response));
    // Where it was stopped, and what it would have done, is chance.
    if (STOPPED.has(details.errorType)) throw new UnknownEffects(String(details.errorMessage));
    return { failure: { name: details.errorType, message: String(details.errorMessage) } };
  }
}

function messageOf({ status, body }: Response): string {
  const { message } = (body ?? {}) as { message?: string };
  return message ?? `status ${status}`;
}
