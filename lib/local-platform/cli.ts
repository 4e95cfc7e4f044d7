/** Owns the start of the command `npm run platform`: refuses a Node that cannot run the rest. */
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(`The local platform needs Node 24 or later; this is Node ${process.versions.node}.`);
  process.exit(1);
}
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2), process.env);
