import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { PendingVerifications } from '../../infra/pending-verifications/pending-verifications.js';
import { digestOf } from '../../base/auth/sessions.service.js';
import { OptionsService } from '../../base/options/options.service.js';
import { IdentityFetcher } from './identity-fetcher.js';
import { PROVIDER_FACTS } from '../../base/access/identity-providers.js';
import { SUBJECT_MAX, type VouchedProfile } from './external-profile.js';
import { withParameters } from './redirect-identity.js';

const { label } = PROVIDER_FACTS.wechat;

/** Codes the official account sends; no character has a meaning in an address. */
const CODE = /^[A-Za-z0-9]{4,12}$/;
/** A code is valid for three minutes at the helper server; here it is used once in that time. */
const CODE_LIFE_MS = 180_000;

const answerSchema = z.object({ success: z.boolean(), data: z.string().max(SUBJECT_MAX).nullish() });

/** WeChat by way of a helper server, which resolves codes to accounts. */
@Injectable()
export class WeChatIdentity {
  constructor(
    private readonly options: OptionsService,
    private readonly fetcher: IdentityFetcher,
    private readonly steps: PendingVerifications,
  ) {}

  /** Fails: DomainError `wechat_code_wrong` for a code that is wrong, old or used. */
  async profileOf(code: string): Promise<VouchedProfile> {
    if (!CODE.test(code)) throw new DomainError('wechat_code_wrong');
    const { WeChatServerAddress, WeChatServerToken } = this.options.values();
    const reply = await this.fetcher.send(label, {
      method: 'GET',
      url: withParameters(`${WeChatServerAddress}/api/wechat/user`, { code }),
      headers: { authorization: WeChatServerToken },
    });
    const { success, data } = this.fetcher.readJson(label, reply, answerSchema);
    const subject = data ?? '';
    if (!success || subject === '') throw new DomainError('wechat_code_wrong');
    // Helper servers may ignore letter case: one code, however it was typed, is used once.
    const isFirst = await this.steps.claim(`identity:wechat:${digestOf(code.toLowerCase())}`, CODE_LIFE_MS);
    if (!isFirst) throw new DomainError('wechat_code_wrong');
    return { provider: 'wechat', subject, issuer: WeChatServerAddress };
  }
}
