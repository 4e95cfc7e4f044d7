/** Defines tools, and calls them: checks arguments and permissions, limits what works at once, and writes results. */
import { setImmediate } from 'node:timers/promises';
import type { CallToolResult, InputRequiredResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { type JsonSchema, type OverrideSchemaContext, toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { CodedError, toErrorValue } from '../../platform-api/coded-error.ts';
import { isDeeperThan } from '../../platform-api/json-depth.ts';
import { AskUser, type Question } from './confirm.ts';
import { DEFAULT_SIZE, errorResult, MAX_SIZE, type Reply, resultOf } from './reply.ts';
import type { McpSession } from './session.ts';
import { quoted } from './untrusted.ts';

export interface Call {
  session: McpSession;
  signal: AbortSignal;
  /** @param what such as “publish a release” @throws OwnError `WRITES_NOT_ALLOWED` */
  requireWrites(what: string): void;
  /** Resolves if the environment isn’t production, or the user has confirmed exactly this. @throws as `Confirmations.require` */
  confirm(question: Question): Promise<void>;
}

type Entries = v.ObjectEntries;
type Input<E extends Entries> = v.InferOutput<v.StrictObjectSchema<E, undefined>>;

export interface Tool<E extends Entries = Entries> {
  name: string;
  description: string;
  /** Whether it can change something. */
  writes?: boolean;
  /** Whether it starts a browser or another process. Only one of these works at a time. */
  isHeavy?: boolean;
  entries: E;
  handler: (input: Input<E>, call: Call) => Promise<Reply>;
}

export const defineTool = <E extends Entries>(tool: Tool<E>): Tool => tool as unknown as Tool;

/** Adds `description` to a schema. */
export const described = <T extends v.GenericSchema>(schema: T, text: string) => v.pipe(schema, v.description(text));

const SIZE = {
  maxBytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1_000), v.maxValue(MAX_SIZE))),
};
/** Of arguments. A pipeline has up to 1 MB. */
const ARGUMENTS_LIMIT = 2_000_000;
const ARGUMENTS_DEPTH = 100;

export function registerTool(server: McpServer, session: McpSession, tool: Tool): void {
  const schema = v.strictObject({ ...tool.entries, ...SIZE });
  const { '~standard': standard } = toStandardJsonSchema(schema);
  const input = (options: Parameters<typeof standard.jsonSchema.input>[0]): Record<string, unknown> =>
    compact(standard.jsonSchema.input({ ...options, libraryOptions: { overrideSchema } })) as Record<string, unknown>;
  const config = {
    description: tool.description,
    inputSchema: {
      '~standard': {
        ...standard,
        jsonSchema: { ...standard.jsonSchema, input },
        // Checked below, so that a long value isn’t repeated in the error.
        validate: (value: unknown) => ({ value }),
      },
    },
    annotations: tool.writes ? { destructiveHint: true } : { readOnlyHint: true },
  };
  server.registerTool(
    tool.name,
    config as never,
    ((given: unknown, ctx: ServerContext) => callTool(tool, schema, given, { server, session, ctx })) as never,
  );
}

/** A custom schema is always that of an object (`shared.ts`). */
const overrideSchema = ({ valibotSchema }: OverrideSchemaContext): JsonSchema | undefined =>
  valibotSchema.type === 'custom' ? { type: 'object' } : undefined;

/** What a model doesn’t need to know: all calls are checked, and errors name the limit. */
const LEFT_OUT = new Set([
  '$schema',
  'maxItems',
  'maxLength',
  'maximum',
  'minLength',
  'minimum',
  'pattern',
  'propertyNames',
]);

/** All tools are in the context of every conversation. */
function compact(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const { properties, required, additionalProperties, ...rest } = schema as Record<string, unknown>;
  const entries = Object.entries(rest).filter(([name]) => !LEFT_OUT.has(name));
  const named = Object.entries((properties ?? {}) as Record<string, unknown>);
  return {
    ...Object.fromEntries(entries.map(([name, value]) => [name, name === 'items' ? compact(value) : value])),
    ...(properties !== undefined && {
      properties: Object.fromEntries(named.map(([name, value]) => [name, compact(value)])),
    }),
    ...(Array.isArray(required) && required.length > 0 && { required: required as unknown[] }),
    ...(additionalProperties === false && { additionalProperties }),
  };
}

interface Place {
  server: McpServer;
  session: McpSession;
  ctx: ServerContext;
}

async function callTool(
  tool: Tool,
  schema: v.GenericSchema<unknown, Record<string, unknown>>,
  given: unknown,
  { server, session, ctx }: Place,
): Promise<CallToolResult | InputRequiredResult> {
  const { mask, handles } = session;
  try {
    const { maxBytes: size = DEFAULT_SIZE, ...input } = parsed(schema, given) as { maxBytes?: number };
    const slots = tool.isHeavy ? session.heavy : session.calls;
    const reply = await session.track(ctx.mcpReq.signal, (signal) =>
      slots.run(signal, () => tool.handler(input, { session, signal, ...permissions({ server, session, ctx }) })),
    );
    const { onSent } = reply;
    // The result is written in this turn.
    if (onSent) void session.track(ctx.mcpReq.signal, () => setImmediate().then(onSent)).catch(() => undefined);
    return resultOf(reply, { size, handles, mask });
  } catch (error) {
    if (error instanceof AskUser) return error.result;
    return errorResult(toErrorValue(error), isOurs(error), mask);
  }
}

function parsed(schema: v.GenericSchema<unknown, Record<string, unknown>>, given: unknown): Record<string, unknown> {
  if (isDeeperThan(given, ARGUMENTS_DEPTH))
    throw invalid(`The arguments are limited to ${ARGUMENTS_DEPTH} levels of arrays and objects.`);
  const size = JSON.stringify(given ?? {}).length;
  if (size > ARGUMENTS_LIMIT)
    throw invalid(`The arguments are limited to ${ARGUMENTS_LIMIT} characters of JSON. These have ${size}.`);
  const result = v.safeParse(schema, given ?? {});
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  throw invalid(`${path ? quoted(path) : 'The arguments'} can’t be used: ${quoted(issue.message, 200)}.`);
}

/** @param message in our own words, with quoted values */
export const invalid = (message: string, hint = 'Correct the arguments, as the tool’s schema describes them.') =>
  new OwnError('ARGUMENT_INVALID', message, hint);

/** An error in our own words only. All others can repeat what a platform says. */
export class OwnError extends CodedError {
  constructor(code: string, message: string, hint: string) {
    super({ code, message, hint });
  }
}

const OWN_CODES = new Set([
  'ABORTED',
  'CONFIRMATION_DECLINED',
  'CONFIRMATION_UNAVAILABLE',
  'HANDLE_OTHER',
  'HANDLE_UNKNOWN',
  'NO_APP',
  'TOO_MANY_CALLS',
]);

const isOurs = (error: unknown): boolean =>
  error instanceof OwnError || (error instanceof CodedError && OWN_CODES.has(error.code));

const permissions = ({ server, session, ctx }: Place): Pick<Call, 'requireWrites' | 'confirm'> => ({
  requireWrites(what) {
    if (!session.options.allowWrites) throw notAllowed(what);
  },
  async confirm({ message, change }) {
    const { environment } = session.options;
    if (!environment.isProduction) return;
    const place = `${quoted(environment.name)} (${environment.baseUrl})`;
    const question = { message: `${message} The environment ${place} is production.`, change: [environment, change] };
    await session.confirmations.require(question, ctx, server.server.getClientCapabilities());
  },
});

const notAllowed = (what: string): OwnError =>
  new OwnError(
    'WRITES_NOT_ALLOWED',
    `This server can’t ${what}: it was started without --allow-writes. Nothing was sent.`,
    'Ask the user to add --allow-writes to the server’s command, and to start it again.',
  );
