/**
 * Reads the examples of a README that are run: in a block “```console”, each line that starts with “$ ” is a command,
 * and the lines after it are what it prints. “…” stands for any text.
 */
export interface ShellExample {
  command: string;
  output: RegExp;
}

export function shellExamples(markdown: string): ShellExample[] {
  const blocks = [...markdown.matchAll(/^```console\n(.*?)^```/gms)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.split(/^\$ /m).slice(1)).map(exampleOf);
}

function exampleOf(text: string): ShellExample {
  const [command = '', ...lines] = text.split('\n');
  const pattern = lines
    .join('\n')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('…', '[^]*');
  return { command, output: new RegExp(`^${pattern}$`) };
}
