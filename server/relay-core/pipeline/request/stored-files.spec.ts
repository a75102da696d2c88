import { describe, expect, it } from '@jest/globals';
import { refuseNamedFiles, refuseStoredFiles } from './file-addresses.js';

const of = (body: string, scheme: string, vendor: Readonly<Record<string, unknown>> = {}) =>
  refuseStoredFiles(Buffer.from(body), scheme, { vendor });
const part = (address: string): string =>
  `{"contents":[{"parts":[{"text":"x"},{"fileData":{"fileUri":"${address}","mimeType":"text/csv"}}]}]}`;

describe('the operator’s own files are not opened for callers [RLY-01]', () => {
  it.each([
    ['as it is', part('gs://private/salaries.csv'), 'gs://'],
    ['in capitals', part('GS://private/salaries.csv'), 'gs://'],
    ['with escapes', part('\\u0067s:\\/\\/private/salaries.csv'), 'gs://'],
    ['behind a blank', part(' gs://private/salaries.csv'), 'gs://'],
    ['in a chat', '{"messages":[{"content":[{"image_url":{"url":"s3://private/a.png"}}]}]}', 's3://'],
    ['as a text of its own', '{"messages":[{"content":[{"image_url":"S3://private/a.png"}]}]}', 's3://'],
    ['under another spelling', '{"file\\u005furi":"gs://private/a"}', 'gs://'],
  ])('%s', (_name, body, scheme) => {
    expect(of(body, scheme)).toMatchObject({ kind: 'invalid-request', blame: 'caller' });
  });

  it('unless the operator allows it', () => {
    expect(of(part('gs://shared/manual.pdf'), 'gs://', { allow_stored_files: true })).toBeUndefined();
    expect(of(part('gs://shared/manual.pdf'), 'gs://', { allow_stored_files: 'yes' })).toMatchObject({
      kind: 'invalid-request',
    });
  });

  it.each([
    ['words about them', '{"messages":[{"content":"gs://bucket/name is an address"}]}'],
    ['files of the web', part('https://example.org/a.csv')],
    ['a form', '--boundary\r\ngs://'],
    ['input of a tool', '{"messages":[{"content":[{"type":"tool_use","input":{"uri":"gs://a/b"}}]}]}'],
    ['arguments of a function', '{"contents":[{"parts":[{"functionCall":{"args":{"url":"gs://a/b"}}}]}]}'],
  ])('%s pass', (_name, body) => {
    expect(of(body, 'gs://')).toBeUndefined();
  });
});

describe('files that a message names', () => {
  const names = (content: string): string => `{"messages":[{"role":"system","content":${content}}]}`;
  const SPELLINGS = [
    '"fileid://file-1"',
    '"FileID://file-1"',
    '"\\u0066ileid:\\/\\/file-1"',
    '"Read this: fileid://file-1,fileid://file-2"',
    '[{"type":"text","text":"fileid://file-1"}]',
  ];

  it.each(SPELLINGS)('refuses %s for a model that would read them', (content) => {
    for (const model of ['qwen-long', 'qwen-long-latest', 'Qwen-Doc-Turbo'])
      expect(refuseNamedFiles(Buffer.from(names(content)), model, {})).toMatchObject({
        kind: 'invalid-request',
      });
    const settings = { vendor: { allow_foreign_ids: true } };
    expect(refuseNamedFiles(Buffer.from(names(content)), 'qwen-long', settings)).toBeUndefined();
  });

  it('leaves them to models for which they are words', () => {
    for (const content of SPELLINGS)
      expect(refuseNamedFiles(Buffer.from(names(content)), 'qwen-plus', {})).toBeUndefined();
    expect(refuseNamedFiles(Buffer.from(names('"a file id"')), 'qwen-long', {})).toBeUndefined();
  });
});
