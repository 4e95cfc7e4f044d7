import { afterAll, beforeAll, describe } from 'vitest';
import { mainFlows } from '../../../e2e/oauth2/oauth2-flows.ts';
import { type OAuth2TestBed, startOAuth2TestBed } from '../../../e2e/oauth2/oauth2-app.ts';

let bed: OAuth2TestBed;
beforeAll(async () => void (bed = await startOAuth2TestBed('firefox')));
afterAll(() => bed?.close());

describe('in Firefox', () => mainFlows(() => bed));
