import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore, FORMAT_ROUTES } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import type { MemoryReply } from '../../../../test/support/memory-sides.js';

const ADDRESS = 'https://files.example/words.mp3';
const SOUND = { base64: 'SUQzBAAAAAA=', mediaType: 'audio/mpeg' };

/** A call of Google's API with sounds by address, to a vendor of one format; `sent` = what reached it. */
async function ask(
  format: string,
  addresses: readonly string[],
): Promise<{ readonly reply: MemoryReply; readonly sent: readonly string[] }> {
  const ports = new MemoryPorts();
  ports.media.files.set(ADDRESS, SOUND);
  const sent: string[] = [];
  const { dialect, path, pathModel } = apiNamed('gemini');
  const parts = addresses.map((fileUri) => ({ fileData: { fileUri, mimeType: 'audio/mpeg' } }));
  const reply = await callCore(ports, {
    dialect,
    path,
    pathModel,
    body: { contents: [{ role: 'user', parts }] },
    route: FORMAT_ROUTES[format] ?? {},
    script: (exchange) => {
      sent.push(JSON.stringify(exchange.body));
      exchange.head(400).end();
    },
  });
  return { reply, sent };
}

describe.each(['chat', 'responses'])('sound given by address to a vendor of the format %s', (format) => {
  it('leaves as bytes, for every time it is named', async () => {
    const { sent } = await ask(format, [ADDRESS, ADDRESS]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.split(`"input_audio":{"data":"${SOUND.base64}","format":"mp3"}`)).toHaveLength(3);
    expect(sent[0]).not.toContain('files.example');
  });

  it('refuses the call when it cannot be fetched, and asks no vendor', async () => {
    const { reply, sent } = await ask(format, [ADDRESS, 'https://files.example/gone.mp3']);
    expect([reply.status, sent]).toEqual([400, []]);
  });

  it('refuses more than 32 files, and asks no vendor', async () => {
    const many = Array.from({ length: 33 }, (_, index) => `https://files.example/${index}.mp3`);
    const { reply, sent } = await ask(format, many);
    expect([reply.status, sent]).toEqual([400, []]);
    expect(reply.text).toContain('At most 32 files');
  });
});
