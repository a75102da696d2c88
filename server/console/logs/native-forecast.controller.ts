import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import { nativeForecastSchema, type NativeForecastView } from './dto/native-forecast.dto.js';
import { NativeForecaster } from './native-forecast.js';

@ApiTags('channels')
@Controller('api/channel/native-forecast')
export class NativeForecastController {
  constructor(private readonly forecaster: NativeForecaster) {}

  /** Calls that would move to another channel if native channels came first in every group, from the newest calls of the log. */
  @Get()
  @Access('admin')
  @ApiEnvelope(nativeForecastSchema)
  async forecast(): Promise<NativeForecastView> {
    const { calls, moves } = await this.forecaster.forecast();
    return {
      calls,
      moves: moves.map((move) => ({
        group: move.group,
        api: move.api,
        channel_id: move.channelId,
        calls: move.calls,
        of: move.of,
      })),
    };
  }
}
