/** What can’t be written in V3’s code without changing its meaning. */
export class UntranslatableError extends Error {
  override readonly name = 'UntranslatableError';
}
