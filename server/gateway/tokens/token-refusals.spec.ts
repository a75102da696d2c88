import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { StoredCallerDirectory } from './stored-caller-directory.js';
import { TokenRefusals } from './token-refusals.js';
import type { TokenRefusal, TokensRepository } from './tokens.repository.js';

function refusals(fails = false) {
  const clock = new FakeClock();
  const written: [number, TokenRefusal][] = [];
  let told: (tokenId: number, error: RelayError) => void = () => undefined;
  const notes = new TokenRefusals(
    {
      noteRefusal: async (id: number, note: TokenRefusal) => {
        if (fails) throw new Error('away');
        written.push([id, note]);
      },
    } as unknown as TokensRepository,
    clock,
    { watchRefusals: (listener: typeof told) => void (told = listener) } as unknown as StoredCallerDirectory,
  );
  return { clock, notes, written, tell: (id: number, error: RelayError) => told(id, error) };
}

describe('TokenRefusals', () => {
  it('writes the last refusal of each token, once a second at most', async () => {
    const { clock, notes, written, tell } = refusals();
    for (let call = 0; call < 50; call += 1) notes.note(7, refusal('key-expired'));
    notes.note(7, refusal('address-refused'));
    tell(8, refusal('key-disabled'));
    expect(clock.timers).toBe(1);
    clock.advance(1_000);
    await notes.flush();
    expect(written.map(([id, { refusedKind }]) => [id, refusedKind])).toEqual([
      [7, 'address-refused'],
      [8, 'unauthenticated'],
    ]);
    expect(written[0]?.[1].refusedText).toContain('may not be used from your network address');
  });

  it('keeps nothing of callers without a token, nor of clients that left', async () => {
    const { notes, written, clock } = refusals();
    notes.note(null, refusal('key-expired'));
    notes.note(7, refusal('client-left'));
    await notes.flush();
    expect([written, clock.timers]).toEqual([[], 0]);
  });

  it('cuts a long sentence, and cuts keys out of it', async () => {
    const { notes, written } = refusals();
    const key = `sk-${'a1B2'.repeat(12)}`;
    notes.note(7, refusal('model-unknown', { model: `${key} ${'𝒳'.repeat(400)}` }));
    await notes.flush();
    const text = written[0]?.[1].refusedText ?? '';
    expect(Array.from(text)).toHaveLength(300);
    expect(text).not.toContain('a1B2a1B2');
  });

  it('drops those of further tokens while 200 wait, and those that cannot be written', async () => {
    const { notes, written } = refusals();
    for (let id = 1; id <= 300; id += 1) notes.note(id, refusal('key-expired'));
    await notes.flush();
    expect(written).toHaveLength(200);
    const broken = refusals(true);
    broken.notes.note(1, refusal('key-expired'));
    await expect(broken.notes.flush()).resolves.toBe(undefined);
  });
});
