import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportFileView, ImportStateView } from '../../../../server/console/import/dto/import.dto.js';
import { ApiClient } from '../../../support/api-client.js';
import { ROOT_ACCOUNT, setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { type ForeignDatabase, loadSample } from '../../../support/foreign-databases.js';
import { SAMPLES } from '../../../support/import-runs.js';
import { until } from '../../../support/until.js';

describe.each(['mariadb', 'postgres'] as const)('an upload between two instances on %s', (kind) => {
  let database: TestDatabase;
  let source: ForeignDatabase;
  let holder: TestApp;
  let other: TestApp;
  let atHolder: ApiClient;
  let atOther: ApiClient;
  let content: Buffer;

  beforeAll(async () => {
    source = await loadSample(join(SAMPLES, 'one-api', 'A-one-api.sqlite.gz'));
    content = readFileSync(source.path);
    database = await createTestDatabase(kind);
    holder = await startTestApp({ env: { DATABASE_URL: database.url } });
    atHolder = await setUpRoot(holder);
    other = await startTestApp({ env: { DATABASE_URL: database.url } });
    atOther = await ApiClient.signIn(other.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
  });
  afterAll(async () => {
    await other.close();
    await holder.close();
    await database.drop();
    await source.drop();
  });

  const stateAt = (client: ApiClient) => client.expectSuccess<ImportStateView>('GET', '/api/import');
  const send = (client: ApiClient, id: string, offset: number, bytes: Buffer) =>
    fetch(`${client.baseUrl}/api/import/file/${id}?offset=${offset}`, {
      method: 'PUT',
      headers: { ...client.headers, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    }).then((answer) => answer.json() as Promise<{ success: boolean; code?: string; message?: string }>);
  const begin = () =>
    atHolder.expectSuccess<ImportFileView>('POST', '/api/import/file', {
      name: 'one-api.db',
      size: content.length,
    });
  const folderOf = ({ env }: TestApp): string => join(env.dataDir, 'imports');

  it('takes bytes where the file is, and elsewhere names the instance to reach', async () => {
    const { id, place } = await begin();
    const half = Math.floor(content.length / 2);
    expect((await send(atOther, id, 0, content.subarray(0, half))).code).toBe('import_file_elsewhere');
    expect((await send(atHolder, id, 0, content.subarray(0, half))).success).toBe(true);
    const refused = await send(atOther, id, half, content.subarray(half));
    expect(refused).toMatchObject({ code: 'import_file_elsewhere' });
    expect(refused.message).toContain(place);
    expect((await send(atHolder, id, half, content.subarray(half))).success).toBe(true);
    expect(existsSync(folderOf(other))).toBe(false);
  });

  it('shows the same upload from each instance', async () => {
    const { file } = await stateAt(atHolder);
    expect(file).toMatchObject({ size: content.length, received: content.length });
    expect((await stateAt(atOther)).file).toEqual(file);
  });

  it('runs where the file is, and shows run and report from each instance', async () => {
    const { file } = await stateAt(atOther);
    const order = { trial: false, file_id: file?.id };
    expect((await atOther.post('/api/import/run', order)).body.code).toBe('import_file_elsewhere');
    await atHolder.expectSuccess('POST', '/api/import/run', order);
    await until(async () => (await stateAt(atOther)).run?.status !== 'running');
    const { run, file: left } = await stateAt(atOther);
    expect(run).toMatchObject({ status: 'done', fault: '', report: { product: 'one-api' } });
    expect(left).toBeNull();
    expect(existsSync(folderOf(holder))).toBe(false);
  });

  it('removes the file of one instance from the other', async () => {
    await begin();
    expect(existsSync(folderOf(holder))).toBe(true);
    await atOther.expectSuccess('DELETE', '/api/import/file');
    expect((await stateAt(atHolder)).file).toBeNull();
    expect(existsSync(folderOf(holder))).toBe(false);
  });

  it('moves to the instance where a new upload begins', async () => {
    const { id: old } = await begin();
    const { id } = await atOther.expectSuccess<ImportFileView>('POST', '/api/import/file', {
      name: 'one-api.db',
      size: content.length,
    });
    expect((await stateAt(atHolder)).file).toMatchObject({ id, received: 0 });
    expect(existsSync(folderOf(holder))).toBe(false);
    expect((await send(atHolder, old, 0, content)).code).toBe('import_file_missing');
    await atOther.expectSuccess('DELETE', '/api/import/file');
  });

  it('writes the sentences of a report in the language of each reader', async () => {
    const notesIn = async (language: string): Promise<string> => {
      const { body } = await atOther.get('/api/import', { 'accept-language': language });
      const { run } = body.data as ImportStateView;
      const texts = [
        ...(run?.report?.notes ?? []).map(({ sentence }) => sentence),
        ...(run?.report?.sums ?? []).map(({ name }) => name),
      ];
      return texts.join('\n');
    };
    const english = await notesIn('en');
    const chinese = await notesIn('zh-CN');
    expect(english).toContain('balances of accounts');
    expect(english).not.toMatch(/[\u4e00-\u9fff]{4} *(?:未导入|令牌)/);
    expect(chinese).toContain('账户余额');
    expect(chinese.split('\n').filter((line) => !/[\u4e00-\u9fff]/.test(line))).toEqual([]);
    expect(`${english}${chinese}`).not.toMatch(/\{\w+\}/);
  });

  it('names a failure in the language of each reader', async () => {
    const { id } = await atHolder.expectSuccess<ImportFileView>('POST', '/api/import/file', {
      name: 'x.db',
      size: 100,
    });
    await send(
      atHolder,
      id,
      0,
      Buffer.concat([Buffer.from('SQLite format 3\0', 'latin1'), Buffer.alloc(84)]),
    );
    await atHolder.expectSuccess('POST', '/api/import/run', { trial: true, file_id: id });
    await until(async () => (await stateAt(atHolder)).run?.status === 'failed');
    const faultIn = async (language: string): Promise<string> => {
      const { body } = await atOther.get('/api/import', { 'accept-language': language });
      return (body.data as ImportStateView).run?.fault ?? '';
    };
    expect(await faultIn('en')).toMatch(/is damaged|no database of new-api/);
    expect(await faultIn('zh')).toMatch(/已损坏|不是 new-api/);
  });
});
