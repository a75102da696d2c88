import { requestRefusal } from '../../relay-core/model/refusals.js';
import { contained } from '../../common/contain-faults.js';
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import type { RelayError } from '../../relay-core/model/relay-error.js';

/** Bytes a decompressor gives at once: what is refused was never more than this beyond the limit. */
const CHUNK_BYTES = 64 * 1024;
/** Larger windows would let a client claim memory: 8 MB is the size https://www.rfc-editor.org/rfc/rfc8878 (read 2026-11-25) requires readers to support. */
const WINDOW_BITS = 23;
/** Maximum ratio of a body to its packed form, beyond its first megabyte. Conversations pack to a tenth or a twentieth. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = 1024 * 1024;

/** Content codings that are understood (https://www.iana.org/assignments/http-parameters, read 2026-11-25). */
const UNPACKERS: Readonly<Record<string, (packed: Buffer) => Transform>> = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  'x-gzip': () => createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: (packed) =>
    hasZlibHead(packed)
      ? createInflate({ chunkSize: CHUNK_BYTES })
      : createInflateRaw({ chunkSize: CHUNK_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
  zstd: () =>
    createZstdDecompress({
      chunkSize: CHUNK_BYTES,
      params: { [constants.ZSTD_d_windowLogMax]: WINDOW_BITS },
    }),
};

/** Named in refusals, so that a client can choose. */
export const KNOWN_CODINGS = 'gzip, deflate, br, zstd';

/** `deflate` means a zlib stream; some clients send it bare. */
const hasZlibHead = (packed: Buffer): boolean =>
  packed.length >= 2 && ((packed[0] as number) & 0x0f) === 8 && packed.readUInt16BE(0) % 31 === 0;

/** The coding of a body that has to be unpacked; undefined = it is as it is. Null = none we know. */
export function codingOf(header: string | undefined): string | null | undefined {
  const coding = header?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return undefined;
  return Object.hasOwn(UNPACKERS, coding) ? coding : null;
}

export interface UnpackLimits {
  readonly maxBytes: number;
  /** Each piece takes room in memory. @returns false when there is none */
  readonly hold: (bytes: number) => boolean;
  readonly tooLarge: () => RelayError;
  readonly full: () => RelayError;
}

/**
 * Unpacks a body, piece by piece: what would be too large is given up as soon as it is. Never holds more than the limit and one piece.
 * @param give  called once
 */
export function unpackBody(
  packed: Buffer,
  coding: string,
  limits: UnpackLimits,
  give: (unpacked: Buffer | RelayError) => void,
): void {
  const unpacker = UNPACKERS[coding]?.(packed);
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  let isOver = unpacker === undefined;
  const most = Math.min(limits.maxBytes, Math.max(RATIO_FREE_BYTES, packed.length * MAX_RATIO));
  const finish = (result: Buffer | RelayError): void => {
    if (isOver) return;
    isOver = true;
    unpacker?.destroy();
    give(result);
  };
  const take = (piece: Buffer): void => {
    if (isOver) return;
    sizeBytes += piece.length;
    if (sizeBytes > most) return finish(limits.tooLarge());
    if (!limits.hold(piece.length)) return finish(limits.full());
    pieces.push(piece);
  };
  const giveUp = (): void => finish(unreadable(coding));
  const end = (): void => finish(Buffer.concat(pieces, sizeBytes));
  unpacker
    ?.on('data', contained(take, giveUp))
    .on('end', contained(end, giveUp))
    .on('error', contained(giveUp))
    .end(packed);
}

const unreadable = (coding: string): RelayError =>
  requestRefusal(`The request body is not valid ${coding} data.`);
