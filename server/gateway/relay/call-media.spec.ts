import { describe, expect, it } from '@jest/globals';
import { ok, type Result } from '../../common/result.js';
import type { Env } from '../../config/env.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { type FetchedMedia, MediaFetcher } from '../../relay-core/ports/media-fetcher.js';
import { CallMedia } from './call-media.js';
import { ConcurrencyLimits } from './concurrency-limits.js';

const MEGABYTE = 1024 * 1024;
const gatesOf = (): ConcurrencyLimits => new ConcurrencyLimits({ maxRequestBodyBytes: 32 * MEGABYTE } as Env);

/** Files of one size, each given when it is let go. */
class Files extends MediaFetcher {
  readonly asked: string[] = [];
  private readonly gates: (() => void)[] = [];

  constructor(private readonly base64: string) {
    super();
  }

  override async fetchFile(url: string): Promise<Result<FetchedMedia, RelayError>> {
    this.asked.push(url);
    await new Promise<void>((resolve) => this.gates.push(resolve));
    return ok({ base64: this.base64, mediaType: 'image/png' });
  }

  /** Delivers every requested file, and those requested meanwhile. */
  async giveAll(): Promise<void> {
    while (this.gates.length > 0) {
      this.gates.shift()?.();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    }
  }
}

const LARGE = 'A'.repeat(20 * MEGABYTE);

describe('the files of a call [RLY-05]', () => {
  it('fetches them two at a time', async () => {
    const files = new Files('AAAA');
    const media = new CallMedia(files, gatesOf());
    const answers = Promise.all(['a', 'b', 'c', 'd'].map((url) => media.fetchFile(url, 'image', 'user')));
    expect(files.asked).toEqual(['a', 'b']);
    await files.giveAll();
    expect((await answers).every(({ ok: isOk }) => isOk)).toBe(true);
    expect(files.asked).toEqual(['a', 'b', 'c', 'd']);
  });

  it('holds 64 MB at most', async () => {
    const files = new Files(LARGE);
    const media = new CallMedia(files, gatesOf());
    const answers = Promise.all(['a', 'b', 'c', 'd'].map((url) => media.fetchFile(url, 'image', 'user')));
    await files.giveAll();
    const kinds = (await answers).map((answer) => (answer.ok ? 'file' : answer.error.kind));
    expect(kinds).toEqual(['file', 'file', 'file', 'invalid-request']);
  });

  it('counts those of all calls among the bytes of the process until their call ends', async () => {
    const gates = gatesOf();
    const files = new Files(LARGE);
    const calls: CallMedia[] = [];
    const kinds: string[] = [];
    for (let number = 0; number < 40; number += 1) {
      const media = new CallMedia(files, gates);
      calls.push(media);
      const asked = media.fetchFile('a', 'image', 'user');
      await files.giveAll();
      const answer = await asked;
      kinds.push(answer.ok ? 'file' : answer.error.kind);
    }
    expect(kinds.filter((kind) => kind === 'file').length).toBe(25);
    expect(kinds.at(-1)).toBe('unavailable');
    for (const media of calls) media.leave();
    expect(gates.hasRoomFor(512 * MEGABYTE)).toBe(true);
  });

  it('keeps none that come after their call ended', async () => {
    const gates = gatesOf();
    const files = new Files(LARGE);
    const media = new CallMedia(files, gates);
    const asked = media.fetchFile('a', 'image', 'user');
    media.leave();
    await files.giveAll();
    expect(await asked).toMatchObject({ ok: false, error: { kind: 'client-gone' } });
    expect(gates.hasRoomFor(512 * MEGABYTE)).toBe(true);
  });
});
