/** Fuzzes imported files: any text becomes a list of environments or runs, or a coded refusal. */
import * as fc from 'fast-check';
import { formatDuration, formatTime } from '../../lib/shared/format.ts';
import { readRunFile, writeRunFile } from '../../lib/extension/panel/run/history/run-file.ts';
import type { RunRecord } from '../../lib/extension/panel/run/history/run-store.ts';
import { readFile, writeFile, writeSealedFile } from '../../lib/extension/vault/transfer.ts';
import { assertCoded, check, Finding, settles } from './check.ts';
import { damaged, json, spoiled, word, written } from './inputs.ts';
import { EVENTS } from './samples.ts';
import { texts, viewRun } from './views.ts';

export const name = 'files';

const RECORD: RunRecord = {
  id: 'r',
  subject: 'http://localhost/1/2',
  title: 'a',
  number: 1,
  payload: '{}',
  startedAt: 1_790_000_000_000,
  state: 'failed',
  milliseconds: 10,
  tracing: 'observed',
  error: 'TypeError: m',
  size: 0,
  cut: false,
};
const ENTRY = {
  name: 'EU',
  preset: 'eu',
  baseUrl: 'https://api.example.com',
  namespace: 'Platform',
  production: true,
} as const;
const PASSPHRASE = 'correct horse battery';
/** Iterations that a fuzzed file may require; more are rejected by the reader, and would only take longer. */
const ROUNDS = 1_000;

export async function fuzz(runs: number, seed: number): Promise<void> {
  const samples = [
    writeRunFile([{ record: RECORD, events: EVENTS }]),
    writeFile([ENTRY, { ...ENTRY, name: 'US' }]),
    await writeSealedFile([{ ...ENTRY, token: 'eu-token-0123456789-abcd' }, ENTRY], PASSPHRASE, ROUNDS),
  ];
  const values = samples.map((text) => JSON.parse(text) as unknown);
  const text = fc.oneof(
    { weight: 5, arbitrary: spoiled(values, json).map(written) },
    { weight: 4, arbitrary: damaged(samples) },
    { weight: 1, arbitrary: word },
  );
  await check(
    runs,
    seed,
    fc.record({ text, passphrase: fc.constantFrom(PASSPHRASE, PASSPHRASE, 'another', '', undefined) }),
    async ({ text, passphrase }) => {
      readRuns(text);
      await readEnvironments(text, passphrase);
    },
  );
}

function readRuns(text: string): void {
  const read = readRunFile(text);
  if (!read.ok) return assertCoded(read.error);
  for (const { record, events } of read.value) {
    texts(
      record.id,
      record.title,
      record.subject,
      record.payload,
      formatTime(record.startedAt),
      formatDuration(record.milliseconds),
    );
    viewRun(record.id, events);
  }
  // Imported runs can be exported and imported again.
  if (!readRunFile(writeRunFile(read.value)).ok)
    throw new Finding('A file that was read could not be written and read again.');
}

async function readEnvironments(text: string, passphrase: string | undefined): Promise<void> {
  try {
    const file = readFile(text);
    if (file.hasTokens && (JSON.parse(text) as { seal: { iterations: number } }).seal.iterations > ROUNDS) return;
    const entries = await settles(file.entries(passphrase));
    for (const { name, baseUrl, token } of entries ?? []) {
      texts(name, new URL(baseUrl).href);
      if (token !== undefined && (passphrase !== PASSPHRASE || !/^[\x21-\x7e]+$/.test(token)))
        throw new Finding('A forged token was accepted.');
    }
  } catch (error) {
    assertCoded(error);
  }
}
