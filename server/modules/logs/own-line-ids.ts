import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../infra/crypto/secret-box.js';

/** Row ids stay below this, and what owners see begins where they can never come. */
const ROW_IDS = 2 ** 46;
const OWN_IDS_FROM = 2 ** 47;
const HALF = 2 ** 23;
const ROUNDS = 4;

/**
 * The number of a line as its owner sees it. The row id would tell how busy the gateway is (console API 16.5), a place in the list
 * would name another line as soon as one is added or another filter is set: this is the row id, shuffled among 2^46 numbers by a key
 * of the account, and always the same.
 */
@Injectable()
export class OwnLineIds {
  constructor(private readonly secrets: SecretBox) {}

  of({ userId, id }: { readonly userId: number; readonly id: number }): number {
    let left = Math.floor(id / HALF);
    let right = id % HALF;
    for (let round = 0; round < ROUNDS; round += 1)
      [left, right] = [right, left ^ this.mask(userId, round, right)];
    return OWN_IDS_FROM + left * HALF + right;
  }

  /** The row that an owner's number stands for, there or not; null when it is no such number. */
  rowOf(userId: number, ownId: number): number | null {
    const shuffled = ownId - OWN_IDS_FROM;
    if (shuffled < 0 || shuffled >= ROW_IDS) return null;
    let left = Math.floor(shuffled / HALF);
    let right = shuffled % HALF;
    for (let round = ROUNDS - 1; round >= 0; round -= 1)
      [left, right] = [right ^ this.mask(userId, round, left), left];
    return left * HALF + right;
  }

  private mask(userId: number, round: number, half: number): number {
    return this.secrets.sign('log-line', `${userId}.${round}.${half}`).readUInt32BE() % HALF;
  }
}
