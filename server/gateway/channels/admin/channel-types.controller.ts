import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { Access } from '../../../base/access/access.js';
import { BALANCE_READERS } from '../jobs/balance-readers.js';
import { formOfType } from '../state/channel-type-facts.js';
import {
  defaultBaseUrl,
  listsModels,
  nameOfType,
  namedAddressesOf,
  operationsOf,
  servedTypes,
} from '../state/channel-types.js';
import { type ChannelTypeView, channelTypeSchema } from './dto/channel-type.dto.js';

/** The kinds of upstream this gateway can call, as the channel form needs them. */
@ApiTags('channels')
@Controller('api/channel')
export class ChannelTypesController {
  /** Every type that is served: number, name, default address, form of the key, meaning of `other`, what it can do. */
  @Get('types')
  @Access('admin')
  @ApiEnvelope(z.array(channelTypeSchema))
  list(): ChannelTypeView[] {
    return servedTypes().map((code) => {
      const form = formOfType(code);
      return {
        code,
        name: nameOfType(code),
        base_url: defaultBaseUrl(code),
        named_base_urls: namedAddressesOf(code),
        key_format: form.keyFormat,
        key_example: form.keyExample,
        other: form.other,
        other_example: form.otherExample,
        needs_other: form.needsOther,
        needs_base_url: form.needsAddress,
        base_url_example: form.addressExample,
        is_offered: form.isOffered,
        switches: form.switches.map(({ name, choices = [], path }) => ({
          name,
          choices: [...choices],
          ...(path === undefined ? {} : { path_example: path.example }),
        })),
        operations: operationsOf(code),
        lists_models: listsModels(code),
        has_balance: BALANCE_READERS.has(code),
      };
    });
  }
}
