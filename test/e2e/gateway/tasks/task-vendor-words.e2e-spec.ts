import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOG_TYPE } from '../../../../server/base/logs/log.codes.js';
import type { ApiClient } from '../../../support/api-client.ts';
import type { RelayClient } from '../../../support/relay-client.ts';
import { until } from '../../../support/until.ts';
import { TasksFixture } from './tasks.fixture.ts';

interface Line {
  readonly other: string;
}

describe('a task that was not taken on', () => {
  let fixture: TasksFixture;
  let person: ApiClient;
  let relay: RelayClient;
  let keys: { drawing: string; song: string };
  beforeAll(async () => {
    fixture = await TasksFixture.open();
    person = await fixture.person();
    ({ relay } = await fixture.key(person));
    const keyOf = async (id: number): Promise<string> =>
      (await fixture.root.expectSuccess<{ name: string }>('GET', `/api/channel/${id}`)).name.replace(
        'channel ',
        'key-of-',
      );
    keys = { drawing: await keyOf(fixture.drawingChannel), song: await keyOf(fixture.songChannel) };
  });
  afterAll(() => fixture.close());

  const newest = async (client: ApiClient, path: string, said: string): Promise<Line | undefined> => {
    const { items } = await client.expectSuccess<{ items: Line[] }>(
      'GET',
      `${path}?type=${LOG_TYPE.error}&page_size=100`,
    );
    return items.find(({ other }) => other.includes(said));
  };

  const drawings = [3, 4, 23, 24, 30, 77].flatMap((code) => [
    ['drawing', 200, code] as const,
    ['drawing', 503, code] as const,
  ]);
  const songs = [200, 400, 401, 403, 429, 500].map((status) => ['song', status, 'fail'] as const);

  it.each([...drawings, ...songs])(
    'shows the operator the status and the sentence, without keys (%s, status %i, code %s)',
    async (kind, status, code) => {
      const said = `Account ${status}-${code}-${kind} cannot`;
      const sentence = `${said} (${keys[kind]})`;
      const vendor = kind === 'drawing' ? fixture.drawer : fixture.singer;
      vendor.says(kind === 'drawing' ? { code, description: sentence } : { code, message: sentence }, status);
      const path = kind === 'drawing' ? '/mj/submit/imagine' : '/suno/submit/MUSIC';
      const answer = await relay.ask({ path, body: { prompt: 'a cat' } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain(keys[kind]);
      // The state of the account at its vendor is internal to the operator.
      if (code === 3 || status === 401 || status === 403) expect(answer.text).not.toContain(said);
      const words = status === 200 ? 'The provider said' : `The provider answered ${status}`;
      await until(async () => (await newest(fixture.root, '/api/log/', said)) !== undefined);
      const line = await newest(fixture.root, '/api/log/', said);
      expect(line?.other).toContain(`${words}: ${said} (***)`);
      expect(line?.other).not.toContain(keys[kind]);
      const own = await newest(person, '/api/log/self/', words);
      expect(own).toBeUndefined();
    },
  );

  it.each([400, 401, 403, 404, 429, 500, 503])(
    'shows the operator the sentence, and the caller none of it (the seed of a drawing, status %i)',
    async (status) => {
      const { mjId } = await fixture.drawing({ userId: person.userId });
      const said = `Account ${status}-seed cannot`;
      fixture.drawer.says({ code: 4, description: `${said} (${keys.drawing})` }, status);
      const answer = await relay.ask({ method: 'GET', path: `/mj/task/${mjId}/image-seed` });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain(said);
      await until(async () => (await newest(fixture.root, '/api/log/', said)) !== undefined);
      const line = await newest(fixture.root, '/api/log/', said);
      expect(line?.other).toContain(`The provider answered ${status}: ${said} (***)`);
      expect(await newest(person, '/api/log/self/', said)).toBeUndefined();
    },
  );
});
