/** Arguments that several tools have. */
import * as v from 'valibot';
import type { Recording } from '../../../debugging/recording/format.ts';
import { type Action, CodedError, Mocks } from '../../../platform-api/index.ts';
import { PlainObject } from '../../../platform-api/plain-object.ts';
import { type Unreadable, unreadableOf } from '../../../platform-api/lists/unreadable.ts';
import { listActions } from '../../operations/list-actions.ts';
import { findAction } from '../../operations/find-action.ts';
import type { McpSession } from '../session.ts';
import type { Call } from '../tool.ts';
import { visible } from '../../../shared/invisible.ts';
import { mapTexts } from '../../../shared/objects.ts';

const Id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 53 - 1));
/** Default: the project’s. */
export const app = v.optional(Id);
export const id = Id;
/** A name or an ID. */
export const action = v.pipe(v.string(), v.nonEmpty(), v.maxLength(300));
export const offset = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1e9)), 0);
export const search = v.optional(v.pipe(v.string(), v.maxLength(300)));
export const handle = v.pipe(v.string(), v.maxLength(100));
export const object = PlainObject();
/** Checked by `checkMocks`: the whole schema would be long. */
export const mocks = v.optional(v.array(object));

/** More items than these don’t fit into the largest result. */
export const PAGE = 1_000;

/** What a result says about items of a list that couldn’t be read. */
export function notRead(list: readonly unknown[]): { data?: { unreadable: readonly Unreadable[] } } {
  const unreadable = unreadableOf(list);
  return unreadable.length > 0 ? { data: { unreadable } } : {};
}

/** @throws CodedError `ACTION_NOT_FOUND`, and those of the REST client */
export async function actionOf(call: Call, appId: number, wanted: string): Promise<Action> {
  const all = await listActions(call.session.connection, appId, call);
  try {
    return findAction(all, wanted);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new CodedError({ ...error.value, hint: 'Find the action with list_actions.' });
  }
}

/** Keeps a recording under a new handle. */
export function keepRecording(recording: Recording, { handles, mask }: McpSession): { handle: string } {
  const characters = JSON.stringify(recording).length;
  let text: string | undefined;
  const shown = (): string =>
    (text ??= JSON.stringify(
      mapTexts(recording, (each) => visible(mask(each))),
      null,
      1,
    ));
  return { handle: handles.add({ characters, text: shown, recording }) };
}

/** Keeps a text from a platform under a new handle. */
export function keepText(given: string, { handles, mask }: McpSession): string {
  const text = visible(mask(given));
  return handles.add({ characters: text.length, text: () => text });
}

/** @throws CodedError `MOCKS_INVALID` */
export function checkMocks(given: readonly unknown[]): v.InferOutput<typeof Mocks> {
  const parsed = v.safeParse(Mocks, given);
  if (parsed.success) return parsed.output;
  throw new CodedError({
    code: 'MOCKS_INVALID',
    message: `Couldn’t use the mocks: ${parsed.issues[0].message}`,
    hint: 'Correct the mocks, as the description of run_action shows them.',
  });
}
