import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { Access } from '../../../base/access/access.js';
import {
  balanceReaderOf,
  defaultBaseUrl,
  formOfType,
  listsModels,
  nameOfType,
  namedAddressesOf,
  operationsOf,
  servedTypes,
} from '../state/channel-types.js';
import { PRESETS } from '../../../relay-core/providers/presets/presets.js';
import { type ChannelPresetView, channelPresetSchema } from './dto/channel-preset.dto.js';
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
        key_prefixes: [...(form.keyPrefixes ?? [])],
        key_document_type: form.keyDocumentType ?? '',
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
        has_balance: balanceReaderOf(code) !== undefined,
      };
    });
  }

  /** Vendors and programs that a channel of type 1 or 8 is filled in for: address, paths, models, description. */
  @Get('presets')
  @Access('admin')
  @ApiEnvelope(z.array(channelPresetSchema))
  listPresets(): ChannelPresetView[] {
    return PRESETS.map((preset) => ({
      id: preset.id,
      name: preset.name,
      mark: preset.mark,
      type: preset.type,
      base_url: preset.baseUrl,
      base_url_example: preset.addressExample,
      paths: { ...preset.paths },
      key_example: preset.keyExample,
      key_prefix: preset.keyPrefix ?? '',
      models: [...preset.models],
      description: { ...preset.description },
      page: preset.source.page,
      read_on: 'day' in preset.source ? preset.source.day : '',
    }));
  }
}
