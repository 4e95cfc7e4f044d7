/** The V2 action as a switch-over sees it, through the panel’s way to the app’s actions. */
import type { Action } from '../../../../../platform-api/action.ts';
import type { ErrorValue, Result } from '../../../../../platform-api/errors.ts';
import type { V2Port, V2State } from '../../../../../migrate/switch-over/index.ts';
import { editableFields } from '../../../actions/edit/draft-action.ts';
import type { ActionsBackend, ShownAction } from '../../../actions/backend/types.ts';
import { mapped, outcomeOf } from './outcome.ts';

export function stateOfV2(action: Action): V2State {
  const { id, name, active, triggers, frequency, timezone, published, revision } = action;
  return {
    id,
    name,
    active,
    triggers,
    frequency,
    timezone,
    isLive: published === undefined ? undefined : published?.active === true,
    edits: published === undefined ? undefined : editsOf(action),
    revision,
  };
}

/** A switch-over itself changes `active`. */
const editsOf = ({ unpublishedChanges = [] }: Action): string[] =>
  unpublishedChanges.filter((field) => field !== 'active');

const UNLISTED: ErrorValue = { code: 'NOT_FOUND', message: 'The app’s list doesn’t have the V2 action.' };

export class V2Way implements V2Port {
  readonly #backend: () => ActionsBackend;
  readonly #id: number;
  /** The whole action, which the way compares with what the platform has before it changes anything. */
  #shown: Action | null = null;

  constructor(backend: () => ActionsBackend, id: number) {
    this.#backend = backend;
    this.#id = id;
  }

  async read(): Promise<Result<V2State | null>> {
    const found = await this.#backend().find(this.#id, null);
    if (!found.ok) return found;
    this.#shown = found.value;
    return { ok: true, value: found.value && stateOfV2(found.value) };
  }

  setActive(seen: V2State, active: boolean): Promise<Result<V2State>> {
    return this.#change(seen, (backend, shown) =>
      mapped(backend.update(shown, { active }), (action) => {
        this.#shown = action;
        return stateOfV2(action);
      }),
    );
  }

  publish(seen: V2State, publish: boolean): Promise<Result<null>> {
    return this.#change(seen, (backend, shown) => backend.publish(shown, publish));
  }

  remove(seen: V2State): Promise<Result<null>> {
    return this.#change(seen, (backend, shown) => backend.remove(shown));
  }

  async run(payload: Record<string, unknown>): Promise<Result<null>> {
    if (!this.#shown) {
      const read = await this.read();
      if (!read.ok) return read;
    }
    const action = this.#shown;
    if (!action) return { ok: false, error: UNLISTED };
    return outcomeOf(mapped(this.#backend().run(action, payload), () => null));
  }

  async #change<T>(
    { revision }: V2State,
    change: (backend: ActionsBackend, shown: ShownAction) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const action = this.#shown;
    if (!action) return { ok: false, error: UNLISTED };
    const shown = { id: this.#id, fields: editableFields(action), revision };
    return outcomeOf(change(this.#backend(), shown));
  }
}
