import { requestRefusal } from '../../../model/refusals.js';
import type { EmbeddingRequest } from '../../../model/embedding.js';
import type { RelayError } from '../../../model/relay-error.js';

/** Vectors as the caller wants them: many vendors give numbers only. */
export function encodeVectors(
  vectors: readonly (readonly number[])[],
  encoding: EmbeddingRequest['encoding'],
): readonly (readonly number[] | string)[] {
  if (encoding !== 'base64') return vectors;
  return vectors.map((vector) => Buffer.from(new Float32Array(vector).buffer).toString('base64'));
}

/** A packed vector as numbers. */
export function decodeVector(base64: string): readonly number[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(index * 4));
}

/** A list of numbers and nothing else. */
export const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');

/** Inputs as texts. Only a vendor's own tokeniser can read numbers back. */
export const textsOf = (request: EmbeddingRequest): readonly string[] =>
  request.inputs.filter((input) => typeof input === 'string');

/** For formats that take texts only. */
export function refuseTokenInputs(request: EmbeddingRequest): RelayError | undefined {
  if (!request.inputs.every((input) => typeof input === 'string'))
    return requestRefusal(
      'The upstream of this model takes texts, not token numbers; send the input as text.',
      'input',
    );
  const at = request.inputs.findIndex(isImageInput);
  if (at === -1) return undefined;
  return requestRefusal(
    'The upstream of this model takes texts; the letters of an image would be embedded in its place.',
    `input.${at}`,
  );
}

const IMAGE_ADDRESS = /^data:image\/[a-z0-9.+-]{1,32};base64,/i;

/** Returns true for an image as a data URL: embedded as letters its vector means nothing. */
export const isImageInput = (input: EmbeddingRequest['inputs'][number]): boolean =>
  typeof input === 'string' && IMAGE_ADDRESS.test(input);

/** For vendors that make one vector per call. */
export function refuseSeveralInputs(request: EmbeddingRequest): RelayError | undefined {
  if (request.inputs.length <= 1) return undefined;
  return requestRefusal('The upstream of this model embeds one text per call; send one input.', 'input');
}
