/** The life of an MCP server, with 2,000 calls at once. */
import '../../../platform/mcp/lifetime.test.ts';
