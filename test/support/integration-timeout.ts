import { jest } from '@jest/globals';

// The first test that needs a database waits for its server, and the machine may be shared.
jest.setTimeout(60_000);
