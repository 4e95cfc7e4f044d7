/** Asks the user to confirm a change of a production environment. Each confirmation is for exactly one change. */
import { createHash, randomBytes } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { CodedError } from '../../platform-api/coded-error.ts';

interface Asked {
  id: string;
  digest: string;
}

/** What the user is asked. */
export interface Question {
  /** In our own words, with quoted data. */
  message: string;
  /** Everything that the change depends on. With another value, the user is asked again. */
  change: unknown;
}

/** Thrown out of a tool to ask the user. The client calls the tool again with the response. */
export class AskUser extends Error {
  readonly result: InputRequiredResult;
  constructor(result: InputRequiredResult) {
    super('The user has to confirm this.');
    this.result = result;
  }
}

const KEY = 'confirm';
/** At most this many questions wait for a response. */
const MAX_OPEN = 100;

export class Confirmations {
  /** So that a client can’t make up a confirmation, and none is used twice. */
  readonly codec: RequestStateCodec<Asked> = createRequestStateCodec<Asked>({ key: randomBytes(32) });
  readonly #open = new Set<string>();

  /**
   * Resolves if the user has confirmed exactly this.
   * @throws AskUser if the user has to be asked first; CodedError `CONFIRMATION_UNAVAILABLE`, `CONFIRMATION_DECLINED`
   */
  async require({ message, change }: Question, ctx: ServerContext, capabilities: unknown): Promise<void> {
    if (!canAsk(ctx, capabilities)) throw unavailable();
    const digest = digestOf(change);
    const asked = ctx.mcpReq.requestState<Asked>();
    const response = inputResponse(ctx.mcpReq.inputResponses, KEY);
    if (response.kind !== 'elicit' || !asked || !this.#open.delete(asked.id)) throw await this.#ask(message, digest);
    if (response.action !== 'accept' || response.content?.[KEY] !== true) throw declined();
    if (asked.digest !== digest) throw await this.#ask(message, digest);
  }

  async #ask(message: string, digest: string): Promise<AskUser> {
    const id = randomBytes(12).toString('base64url');
    this.#open.add(id);
    for (const oldest of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
      this.#open.delete(oldest);
    }
    const question = inputRequired.elicit({
      message,
      requestedSchema: {
        type: 'object',
        properties: { [KEY]: { type: 'boolean', title: 'Yes, do it', default: false } },
        required: [KEY],
      },
    });
    const requestState = await this.codec.mint({ id, digest });
    return new AskUser(inputRequired({ inputRequests: { [KEY]: question }, requestState }));
  }
}

/** Whether the client shows forms. An empty object means forms. @param capabilities of a client with an older protocol */
function canAsk(ctx: ServerContext, capabilities: unknown): boolean {
  const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined;
  const own = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? capabilities ?? {};
  const { elicitation } = own as { elicitation?: Record<string, unknown> };
  return elicitation !== undefined && ('form' in elicitation || Object.keys(elicitation).length === 0);
}

const digestOf = (change: unknown): string => createHash('sha256').update(JSON.stringify(change)).digest('base64url');

const unavailable = (): CodedError =>
  new CodedError({
    code: 'CONFIRMATION_UNAVAILABLE',
    message: 'The environment is production, and this MCP client can’t ask the user to confirm. Nothing was sent.',
    hint: 'Use a client with elicitation, or ask the user to run the platform-devtools command in a terminal.',
  });

const declined = (): CodedError =>
  new CodedError({
    code: 'CONFIRMATION_DECLINED',
    message: 'The user didn’t confirm the change. Nothing was sent.',
    hint: 'Ask the user what to do instead. Don’t try it again without being asked.',
  });
