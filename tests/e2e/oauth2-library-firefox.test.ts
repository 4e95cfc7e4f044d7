import { afterAll, beforeAll, describe } from 'vitest';
import { mainFlows } from './oauth2-flows.ts';
import { type OAuth2World, startOAuth2World } from './oauth2-app.ts';

let world: OAuth2World;
beforeAll(async () => void (world = await startOAuth2World('firefox')));
afterAll(() => world?.close());

describe('in Firefox', () => mainFlows(() => world));
