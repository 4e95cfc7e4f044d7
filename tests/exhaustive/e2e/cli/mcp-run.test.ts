/** Runs of the MCP server, also in a process of its own that ends during one. */
import '../../../e2e/cli/mcp-run.test.ts';
