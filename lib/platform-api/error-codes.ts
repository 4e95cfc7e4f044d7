/** All error codes that the product shows, by layer. The error reference is generated from these files. */
import { PLATFORM_ERRORS } from './error-codes/platform.ts';
import { REST_ERRORS } from './error-codes/rest.ts';
import { ACTIONS_ERRORS } from './error-codes/actions.ts';
import { ACTIONS_V3_ERRORS } from './error-codes/actions-v3.ts';
import { PIPELINE_ERRORS } from './error-codes/pipeline.ts';
import { DEBUGGING_ERRORS } from './error-codes/debugging.ts';
import { OAUTH2_ERRORS } from './error-codes/oauth2.ts';
import { PAGE_ERRORS } from './error-codes/page.ts';
import { CLI_ERRORS } from './error-codes/cli.ts';
import { MCP_ERRORS } from './error-codes/mcp.ts';
import { EXTENSION_ERRORS } from './error-codes/extension.ts';

export type { ErrorText } from './error-codes/error-text.ts';

export const ERROR_CODES = {
  platform: PLATFORM_ERRORS,
  rest: REST_ERRORS,
  actions: ACTIONS_ERRORS,
  actionsV3: ACTIONS_V3_ERRORS,
  pipeline: PIPELINE_ERRORS,
  debugging: DEBUGGING_ERRORS,
  oauth2: OAUTH2_ERRORS,
  page: PAGE_ERRORS,
  extension: EXTENSION_ERRORS,
  cli: CLI_ERRORS,
  mcp: MCP_ERRORS,
};
