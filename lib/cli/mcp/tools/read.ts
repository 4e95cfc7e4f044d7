/** Reads what is behind a handle, in pieces. */
import { defineTool, invalid } from '../tool.ts';
import { handle, offset } from './shared.ts';

export const readTool = defineTool({
  name: 'read',
  description: 'Read what is behind a handle as text, from a character on: a recording, or a result that was cut.',
  entries: { handle, offset },
  handler: async ({ handle: given, offset: from }, { session }) => {
    const text = session.handles.get(given).text();
    if (from > text.length) throw invalid(`offset is limited to ${text.length}, the length of this text.`);
    return Promise.resolve({ piece: { text, offset: from } });
  },
});
