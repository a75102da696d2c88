import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError } from '../../../common/errors/domain-error.js';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { CallerLanguage } from '../../../common/api/caller-language.js';
import type { Language } from '../../../common/language.js';
import { operatorReasonIn } from '../../../base/logs/operator-reasons.js';
import { Access } from '../../../base/access/access.js';
import { type Actor, CurrentActor } from '../../../base/access/current-actor.js';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { ChannelKeysService, type KeyAction, type ListedKey } from './channel-keys.service.js';
import {
  type ChannelKeyAction,
  channelKeyActionSchema,
  type ChannelKeyList,
  channelKeyListSchema,
} from './dto/channel-keys.dto.js';

/** The keys of channels that have several. */
@ApiTags('channels')
@Controller('api/channel/multi_key')
export class ChannelKeysController {
  constructor(private readonly keys: ChannelKeysService) {}

  /** Lists, enables, disables or deletes keys; answers a page of them as they are afterwards. */
  @Post('manage')
  @Access('admin')
  @ApiEnvelope(channelKeyListSchema)
  async manage(
    @CurrentActor() actor: Actor,
    @Body({ schema: channelKeyActionSchema }) body: ChannelKeyAction,
    @CallerLanguage() language: Language,
  ): Promise<ChannelKeyList> {
    const wanted = keyActionOf(body);
    const changed = wanted === null ? 0 : await this.keys.act(actor, body.channel_id, wanted);
    const all = await this.keys.list(body.channel_id);
    const shown = body.status === undefined ? all : all.filter((key) => key.status === body.status);
    const start = (body.page - 1) * body.page_size;
    return {
      keys: shown
        .slice(start, start + body.page_size)
        .map((key) => ({ ...key, reason: operatorReasonIn(language, key.reason) })),
      total: shown.length,
      page: body.page,
      page_size: body.page_size,
      enabled_count: countOf(all, CHANNEL_STATUS.enabled),
      manual_disabled_count: countOf(all, CHANNEL_STATUS.disabledByHand),
      auto_disabled_count: countOf(all, CHANNEL_STATUS.disabledAutomatically),
      changed,
    };
  }
}

const countOf = (keys: readonly ListedKey[], status: number): number =>
  keys.filter((key) => key.status === status).length;

/** Null = only look. */
function keyActionOf({ action, key_index: index }: ChannelKeyAction): KeyAction | null {
  switch (action) {
    case 'get_key_status':
      return null;
    case 'enable_key':
    case 'disable_key':
    case 'delete_key':
      if (index === undefined)
        throw new DomainError('invalid_input', {
          field: 'key_index',
          problem: ' (must be the place of a key, from 0)',
        });
      return { action, index };
    default:
      return { action };
  }
}
