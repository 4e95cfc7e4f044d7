/** The main jobs in Firefox. They’re in one file because starting this browser takes longer than they do. */
import { describe } from 'vitest';
import { popupTests } from './popup.ts';
import { runTests } from './run.ts';
import { vaultTests } from './vault.ts';

describe('runs', runTests);
describe('the popup', popupTests);
describe('the vault', vaultTests);
