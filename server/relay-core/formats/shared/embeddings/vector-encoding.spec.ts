import { describe, expect, it } from '@jest/globals';
import type { EmbeddingRequest } from '../../../model/embedding.js';
import {
  encodeVectors,
  isVector,
  refuseSeveralInputs,
  refuseTokenInputs,
  textsOf,
} from './vector-encoding.js';

const asking = (...inputs: EmbeddingRequest['inputs']): EmbeddingRequest => ({ inputs }) as EmbeddingRequest;

describe('encodeVectors', () => {
  it('gives numbers as they are, unless the caller asked for base64', () => {
    const vectors = [[0.5, -2]];
    expect(encodeVectors(vectors, 'float')).toBe(vectors);
    expect(encodeVectors(vectors, undefined)).toBe(vectors);
  });

  it('packs 32-bit floats as OpenAI’s clients unpack them', () => {
    const [packed] = encodeVectors([[0.5, -2]], 'base64');
    const bytes = Buffer.from(String(packed), 'base64');
    expect([bytes.length, bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([8, 0.5, -2]);
  });
});

describe('isVector', () => {
  it('takes lists of numbers only', () => {
    expect([[], [1, 2.5]].every(isVector)).toBe(true);
    expect([['1'], [null], 'AAAA', {}, undefined].some(isVector)).toBe(false);
  });
});

describe('inputs of embeddings', () => {
  it('refuses token numbers where the vendor reads texts', () => {
    expect(refuseTokenInputs(asking('a', 'b'))).toBeUndefined();
    expect(refuseTokenInputs(asking('a', [1, 2]))).toMatchObject({ kind: 'invalid-request', param: 'input' });
    expect(textsOf(asking('a', [1, 2], 'b'))).toEqual(['a', 'b']);
  });

  it('refuses several where the vendor makes one vector', () => {
    expect(refuseSeveralInputs(asking('a'))).toBeUndefined();
    expect(refuseSeveralInputs(asking('a', 'b'))).toMatchObject({ kind: 'invalid-request', param: 'input' });
  });
});
