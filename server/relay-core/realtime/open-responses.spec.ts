import { describe, expect, it } from '@jest/globals';
import { OpenResponses } from './open-responses.js';
import type { ResponseCount } from './response-count.js';

const heard = () => ({ total: 0 });

function opened() {
  const begun: ResponseCount[] = [];
  const settled: ResponseCount[] = [];
  const responses = new OpenResponses({
    estimate: (text) => text.length,
    begin: (response) => void begun.push(response),
    settle: (response) => void settled.push(response),
  });
  return { responses, begun, settled };
}

describe('OpenResponses', () => {
  it('charges an end that is reported twice once', () => {
    const { responses } = opened();
    responses.announce('r1');
    expect(responses.finish('r1')?.isAnnounced).toBe(true);
    responses.remember('r1', true);
    expect(responses.finish('r1')).toBeUndefined();
    expect(responses.pieceOf('r1')).toBeUndefined();
  });

  it('counts pieces behind an end that was charged by our own count as late, without reading input once more', () => {
    const { responses, begun } = opened();
    responses.announce('r1');
    responses.finish('r1');
    responses.remember('r1', false);
    expect(responses.pieceOf('r1')?.isLate).toBe(true);
    expect(begun).toHaveLength(1);
  });

  it('takes a name that is announced again for another response', () => {
    const { responses } = opened();
    responses.announce('r1');
    responses.finish('r1');
    responses.remember('r1', true);
    responses.announce('r1');
    expect(responses.finish('r1')?.isLate).toBe(false);
  });

  it('gives pieces without a name to the response that began last, never to an interpreter', () => {
    const { responses } = opened();
    responses.announce('r1');
    responses.announce('r2');
    const voice = responses.interpreter(heard);
    const piece = responses.pieceOf('');
    expect(piece).not.toBe(voice);
    expect(responses.finish('r2')).toBe(piece);
    expect(responses.interpreter(heard)).toBe(voice);
  });

  it('gives a response that was announced without a name the name of its first piece', () => {
    const { responses, begun } = opened();
    responses.announce('');
    const piece = responses.pieceOf('r1');
    expect([responses.finish('r1') === piece, begun.length, responses.isResponding]).toEqual([
      true,
      1,
      false,
    ]);
  });

  it('keeps one without a name beside another that is announced without one', () => {
    const { responses } = opened();
    responses.announce('');
    const first = responses.pieceOf('');
    first?.text.appendText('a');
    responses.announce('');
    expect([...responses.unreported()]).toHaveLength(2);
    expect([...responses.unreported()][0]).toBe(first);
  });

  it('takes the pieces that came without a name for those of the end that names them first', () => {
    const { responses } = opened();
    const piece = responses.pieceOf('');
    piece?.text.appendText('a');
    expect([responses.isResponding, responses.hasUnreported]).toEqual([false, true]);
    expect(responses.finish('r1')).toBe(piece);
    expect(responses.hasUnreported).toBe(false);
  });

  it('settles the oldest once 64 are open, counts its late pieces, and charges its end no more', () => {
    const { responses, settled } = opened();
    for (let index = 0; index < 64; index += 1) responses.announce(`r${index}`);
    expect(settled).toEqual([]);
    const oldest = [...responses.unreported()][0];
    responses.announce('one more');
    expect(settled).toEqual([oldest]);
    expect(responses.finish('r0')).toBeUndefined();
    expect([...responses.unreported()]).toHaveLength(64);
    expect(responses.pieceOf('r0')?.isLate).toBe(true);
  });

  it('remembers 2,048 ends', () => {
    const { responses } = opened();
    for (let index = 0; index <= 2_048; index += 1) responses.remember(`r${index}`, true);
    responses.remember('', true);
    expect(responses.pieceOf('r1')).toBeUndefined();
    expect(responses.pieceOf('r0')?.isLate).toBe(false);
  });
});
