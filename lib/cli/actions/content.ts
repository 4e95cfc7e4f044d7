/** What a developer edits of an action: its content, how a file shows it, and a digest to recognize it by. */
import { createHash } from 'node:crypto';
import type { Action, ActionEnvironment, NewAction, Trigger } from '../../platform-api/index.ts';
import { isRecord } from '../../shared/objects.ts';

/** In the order of the specification. */
export interface ActionContent {
  name: string;
  active: boolean;
  frequency: string | null;
  timezone: string;
  environment: ActionEnvironment;
  triggers: Trigger[];
  functions: unknown[];
  pageId: number | null;
}

/** With the defaults of a new action, so that a file says all about its action. */
export const contentOf = (action: NewAction | Action): ActionContent => ({
  name: action.name,
  active: action.active ?? true,
  frequency: action.frequency ?? null,
  timezone: action.timezone ?? 'UTC',
  environment: action.environment ?? 'any',
  triggers: (action.triggers ?? [{ trigger: action.frequency ? 'schedule' : 'manual' }]) as Trigger[],
  functions: action.functions ?? [],
  pageId: action.pageId ?? null,
});

/** The text of an action’s file. Two actions with the same content have the same text. */
export function textOf({ triggers, functions, ...content }: ActionContent): string {
  const { pageId, ...before } = content;
  const sorted = {
    ...before,
    triggers: triggers.map((trigger) => sortedFields(trigger, TRIGGER_FIELDS)),
    functions: functions.map(sortedStep),
    pageId,
  };
  return `${JSON.stringify(sorted, null, 2)}\n`;
}

/** Independent of the file’s format and line ends. */
export const digestOf = (content: ActionContent): string => createHash('sha256').update(textOf(content)).digest('hex');

const TRIGGER_FIELDS = ['trigger', 'where'];
const BLOCK_FIELDS = ['condition', 'functions'];
const STEP_FIELDS = [
  'type',
  'functionPackage',
  'function',
  'settings',
  'items',
  'range',
  'conditions',
  'functions',
  'elseFunctions',
];

/** The order inside `settings` stays: `set-context` assigns in that order. */
function sortedStep(step: unknown): unknown {
  if (!isRecord(step)) return step;
  const { functions, elseFunctions, conditions } = step;
  return sortedFields(
    {
      ...step,
      ...(Array.isArray(functions) && { functions: functions.map(sortedStep) }),
      ...(Array.isArray(elseFunctions) && { elseFunctions: elseFunctions.map(sortedStep) }),
      ...(Array.isArray(conditions) && { conditions: conditions.map(sortedBlock) }),
    },
    STEP_FIELDS,
  );
}

function sortedBlock(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const { functions } = block;
  return sortedFields(
    { ...block, ...(Array.isArray(functions) && { functions: functions.map(sortedStep) }) },
    BLOCK_FIELDS,
  );
}

/** These fields first, the others as they are. */
const sortedFields = (value: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries([
    ...fields.filter((field) => Object.hasOwn(value, field)).map((field) => [field, value[field]] as const),
    ...Object.entries(value).filter(([field]) => !fields.includes(field)),
  ]);
