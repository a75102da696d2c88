import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { ServerAddress } from '../../base/options/server-address.js';

export const STOP_PATH = '/api/user/weekly_email/stop';

/** Addresses that stop the weekly summary of one account without a sign-in. They do not expire: old e-mails stay good for it. */
@Injectable()
export class StopLink {
  constructor(
    private readonly secrets: SecretBox,
    private readonly server: ServerAddress,
  ) {}

  /** @param uid  of the account: its number may be given again. @returns null while the server has no address */
  of(userId: number, uid: string): string | null {
    return this.server.page(`${STOP_PATH}?account=${userId}&signature=${this.sign(userId, uid)}`);
  }

  isGood(userId: number, uid: string, signature: string): boolean {
    const [given, right] = [Buffer.from(signature), Buffer.from(this.sign(userId, uid))];
    return given.length === right.length && timingSafeEqual(given, right);
  }

  private sign(userId: number, uid: string): string {
    return this.secrets.sign('weekly-email', `${userId} ${uid}`).toString('hex');
  }
}
