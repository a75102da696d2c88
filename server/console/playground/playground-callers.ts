import { Injectable } from '@nestjs/common';
import { fail, ok, type Result } from '../../common/result.js';
import type { Caller } from '../../relay-core/model/call.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { Actor } from '../../base/access/current-actor.js';
import { OptionsService } from '../../base/options/options.service.js';
import { acceptsUnsetPrice, groupRule } from '../../gateway/tokens/caller-record.js';
import { AccountsService } from '../../base/users/accounts.service.js';

/** Callers of the playground: an account without a token, in a group of its choice. */
@Injectable()
export class PlaygroundCallers {
  constructor(
    private readonly accounts: AccountsService,
    private readonly options: OptionsService,
  ) {}

  /**
   * @param group  empty = the account's own
   * Fails: invalid-request for a system access token, forbidden for a group that is not offered to the account.
   */
  async callerFor(actor: Actor, group: string): Promise<Result<Caller, RelayError>> {
    if (actor.way !== 'session')
      return fail({
        kind: 'invalid-request',
        blame: 'caller',
        code: 'access_token_not_supported',
        message: 'The playground is for people who are signed in; system access tokens are not accepted.',
      });
    if (groupRule(this.options.values(), actor.group, group) !== 'usable')
      return fail({ ...refusal('group-not-offered'), code: 'group_not_allowed' });
    const chosen = group === '' ? actor.group : group;
    const { setting, uid } = await this.accounts.callerFactsOf(actor.id);
    return ok({
      userId: actor.id,
      accountUid: uid,
      username: actor.username,
      tokenId: null,
      tokenName: `playground-${chosen}`,
      tokenLimited: false,
      group: chosen,
      ...(chosen === actor.group ? {} : { userGroup: actor.group }),
      modelLimits: null,
      acceptsUnsetPrice: acceptsUnsetPrice(setting),
      pinnedChannelId: null,
    });
  }
}
