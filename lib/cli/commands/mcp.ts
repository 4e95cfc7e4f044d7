/** `mcp`: an MCP server for assistants, over standard input and output. */
import type { AddCommand } from '../command/program.ts';
import { VERSION } from '../../local-platform/version.ts';
import { invalidArgument, parseId } from '../command/usage.ts';

const NOTES = `
Reading is always allowed. Runs have mocks instead of all functions that could change something. With --allow-writes,
tools can publish, really call functions, and write files. In a production environment, the user confirms each change.
`;

export const addMcp: AddCommand = (program, run) => {
  program
    .command('mcp')
    .description('Serve the tools to an assistant over MCP, on standard input and output')
    .option('--app <id>', 'the app that tools use by default (default: the project’s)')
    .option('--allow-writes', 'let tools publish, really call functions, and write files')
    .addHelpText('after', NOTES)
    .action(
      run(async (context, { app: given, allowWrites = false }: { app?: string; allowWrites?: boolean }) => {
        if (context.options.yes)
          throw invalidArgument('--yes can’t be used with mcp: the user confirms each change in the assistant.');
        const { environment, connection } = await context.connect();
        const project = await context.project();
        const app = given === undefined ? project.app : parseId(given, '--app');
        const [{ McpSession }, { serveMcp }] = await Promise.all([
          import('../mcp/session.ts'),
          import('../mcp/serve.ts'),
        ]);
        const { env, error, streams, startBrowser, tokens } = context.host;
        const { folder } = project;
        const session = new McpSession({
          environment,
          connection,
          allowWrites,
          app,
          folder,
          env,
          startBrowser,
          tokens,
        });
        const log = (text: string): void => error(`${text}\n`);
        await serveMcp(session, { version: VERSION, signal: context.signal, log, streams });
      }),
    );
};
