import { Injectable } from '@nestjs/common';
import type { Actor } from '../../base/access/current-actor.js';
import { usableGroupsOf } from '../../base/options/groups.js';
import { OptionsService } from '../../base/options/options.service.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { ChannelNames } from '../../gateway/channels/state/channel-names.js';
import { ModelOffers } from '../../gateway/channels/state/model-offers.js';
import { TokenNames } from '../../gateway/tokens/token-names.js';
import type { LogSuggestionsView } from './dto/log-suggestions.dto.js';

/** Most names of one kind. */
const MOST = 8;
const NOTHING: LogSuggestionsView = { models: [], tokens: [], accounts: [], channels: [] };

/** Values for the filters of the usage log. Reads the tables of channels, tokens and accounts, never the log, however long it is. */
@Injectable()
export class LogSuggestions {
  constructor(
    private readonly offers: ModelOffers,
    private readonly tokens: TokenNames,
    private readonly accounts: AccountsService,
    private readonly channels: ChannelNames,
    private readonly options: OptionsService,
  ) {}

  /** Names of the whole installation, for administrators. */
  async all(keyword: string): Promise<LogSuggestionsView> {
    if (keyword === '') return NOTHING;
    const [models, tokens, accounts, channels] = await Promise.all([
      this.offers.containing(keyword, MOST),
      this.tokens.containing(keyword, MOST),
      this.accounts.namesContaining(keyword, MOST),
      this.channels.containing(keyword, MOST),
    ]);
    return { models: [...models], tokens: [...tokens], accounts: [...accounts], channels: [...channels] };
  }

  /** The actor's own tokens, and models of the groups the actor may use. */
  async own(actor: Actor, keyword: string): Promise<LogSuggestionsView> {
    if (keyword === '') return NOTHING;
    const groups = new Set([...usableGroupsOf(this.options.values(), actor.group).keys(), actor.group]);
    const [models, tokens] = await Promise.all([
      this.offers.containing(keyword, MOST, [...groups]),
      this.tokens.containing(keyword, MOST, actor.id),
    ]);
    return { ...NOTHING, models: [...models], tokens: [...tokens] };
  }
}
