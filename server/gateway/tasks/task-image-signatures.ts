import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';

/** Bytes of a signature: 192 bits, 32 characters. */
const SIGNATURE_BYTES = 24;

/** Signatures of image addresses: a signed link shows that image without a token. */
@Injectable()
export class TaskImageSignatures {
  private readonly key: Buffer;

  constructor(env: Env) {
    // The label is part of addresses that were given out.
    this.key = Buffer.from(hkdfSync('sha256', env.cryptoSecret, 'tollgate', 'task-proofs', 32));
  }

  /** Signature in the address of a drawing's image. */
  sign(drawing: { readonly mjId: string; readonly requestId: string }): string {
    return this.make(`picture|${drawing.requestId}|${drawing.mjId}`);
  }

  isSame(expected: string, given: string): boolean {
    const [left, right] = [Buffer.from(expected), Buffer.from(given)];
    return left.length === right.length && timingSafeEqual(left, right);
  }

  private make(text: string): string {
    return createHmac('sha256', this.key)
      .update(text)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
      .toString('base64url');
  }
}
