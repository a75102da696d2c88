import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';

/** Bytes of a proof: 192 bits, 32 characters. */
const PROOF_BYTES = 24;

/** What lets somebody without a token look at one picture: a keyed digest per record. */
@Injectable()
export class TaskProofs {
  private readonly key: Buffer;

  constructor(env: Env) {
    this.key = Buffer.from(hkdfSync('sha256', env.cryptoSecret, 'tollgate', 'task-proofs', 32));
  }

  /** Stands in the address of a drawing's picture. */
  ofPicture(drawing: { readonly mjId: string; readonly requestId: string }): string {
    return this.make(`picture|${drawing.requestId}|${drawing.mjId}`);
  }

  isProof(expected: string, given: string): boolean {
    const [left, right] = [Buffer.from(expected), Buffer.from(given)];
    return left.length === right.length && timingSafeEqual(left, right);
  }

  private make(text: string): string {
    return createHmac('sha256', this.key)
      .update(text)
      .digest()
      .subarray(0, PROOF_BYTES)
      .toString('base64url');
  }
}
