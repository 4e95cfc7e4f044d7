/** Sizes of results on data as big as platforms send it. */
import '../../../platform/mcp/sizes.test.ts';
