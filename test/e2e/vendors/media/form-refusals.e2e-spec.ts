import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openMediaFixture, type MediaFixture } from './media.fixture.js';
import { answerJson, formOf } from './scripted-vendor.js';

let fixture: MediaFixture;

beforeAll(async () => {
  fixture = await openMediaFixture([{ models: ['whisper-1', 'dall-e-3'] }]);
});

afterAll(async () => {
  await fixture?.close();
});

describe('requests no reader should trust', () => {
  const boundary = 'b';
  const part = (name: string, value: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n';
  const post = (path: string, body: string, type = `multipart/form-data; boundary=${boundary}`) =>
    fetch(`${fixture.app.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.key}`, 'content-type': type },
      body,
    });

  it.each([
    ['two models', `${part('model', 'whisper-1')}${part('model', 'dear')}${file}--b--`],
    ['a model that looks like one', `${part('Model', 'dear')}${part('model', 'whisper-1')}${file}--b--`],
    ['a list of models', `${part('model[]', 'dear')}${part('model', 'whisper-1')}${file}--b--`],
    ['no end', `${part('model', 'whisper-1')}${file}`],
    ['a preamble', `hello\r\n${part('model', 'whisper-1')}${file}--b--`],
    ['10,000 parts', `${part('x', 'y').repeat(10_000)}${file}--b--`],
    ['nothing at all', ''],
  ])('a form with %s is refused, in the shape of the API [RLY-03, RLY-13, F-49]', async (_name, body) => {
    const asked = fixture.vendor.requests.length;
    const answer = await post('/v1/audio/transcriptions', body);
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: { type: string; message: string } };
    expect(error.message).not.toBe('');
    expect(fixture.vendor.requests).toHaveLength(asked);
  });

  it('forms are taken where files belong, and nowhere else [HTTP-06]', async () => {
    const form = `${part('model', 'whisper-1')}${file}--b--`;
    for (const path of [
      '/v1/chat/completions',
      '/v1/images/generations',
      '/v1/moderations',
      '/v1/audio/speech',
    ])
      expect((await post(path, form)).status).toBe(415);
    expect((await post('/v1/audio/transcriptions', '{"model":"whisper-1"}', 'application/json')).status).toBe(
      415,
    );
  });

  it('a name with a path is the vendor’s to read: nothing is written here, whether the call ends or breaks off [RLY-13]', async () => {
    fixture.vendor.on('/v1/audio/transcriptions', (_request, response) =>
      answerJson(response, { text: 'x' }),
    );
    const before = readdirSync(fixture.app.env.dataDir, { recursive: true }).length;
    const named = file.replace('filename="a"', 'filename="../../../tmp/outside.mp3"');
    const form = `${part('model', 'whisper-1')}${named}`;
    expect((await post('/v1/audio/transcriptions', `${form}--b--`)).status).toBe(200);
    expect(fixture.vendor.last('/v1/audio/transcriptions').body.toString()).toContain(
      '../../../tmp/outside.mp3',
    );
    expect((await post('/v1/audio/transcriptions', form)).status).toBe(400);
    expect(existsSync('/tmp/outside.mp3')).toBe(false);
    expect(readdirSync(fixture.app.env.dataDir, { recursive: true })).toHaveLength(before);
  });

  it('removes fields from a form that an upstream must not get', async () => {
    fixture.vendor.on('/v1/audio/transcriptions', (_request, response) =>
      answerJson(response, { text: 'x' }),
    );
    const form = `${part('api_base', 'http://evil')}${part('model', 'whisper-1')}${file}${part('user', 'u')}--b--`;
    expect((await post('/v1/audio/transcriptions', form)).status).toBe(200);
    expect(await formOf(fixture.vendor.last('/v1/audio/transcriptions'))).toEqual({
      model: 'whisper-1',
      file: 'x',
      user: 'u',
    });
  });
});
