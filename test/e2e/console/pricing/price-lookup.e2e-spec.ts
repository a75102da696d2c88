import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

describe('POST /api/pricing/lookup', () => {
  let app: TestApp;
  let root: ApiClient;

  beforeAll(async () => {
    app = await startTestApp();
    root = await setUpRoot(app);
  });
  afterAll(() => app.close());

  const lookUp = (who: ApiClient) => who.post('/api/pricing/lookup', { models: ['gpt-4o', 'house-model'] });

  it('gives root prices in dollars, marks models without one, and lets root set them', async () => {
    const { body } = await lookUp(root);
    expect(body).toMatchObject({
      success: true,
      may_set: true,
      data: [
        { model: 'gpt-4o', is_priced: true, input: 2.5, output: 10 },
        { model: 'house-model', is_priced: false, input: null, output: null },
      ],
    });
  });

  it('shows administrators without the section of prices that they may not set them', async () => {
    const admin = await signUp(root, { username: 'admin', role: 'admin' });
    expect((await lookUp(admin)).body).toMatchObject({ success: true, may_set: false });
  });

  it('refuses ordinary accounts', async () => {
    const user = await signUp(root, { username: 'user' });
    expect((await lookUp(user)).body).toMatchObject({ success: false });
  });
});
