import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { Access } from '../../base/access/access.js';
import {
  type PricePreview,
  type PricePreviewRequest,
  pricePreviewResultSchema,
  pricePreviewSchema,
} from './dto/price-preview.dto.js';
import { PricePreviewService } from './price-preview.service.js';

@ApiTags('pricing')
@Controller('api/pricing/preview')
export class PricePreviewController {
  constructor(private readonly previews: PricePreviewService) {}

  /** Effect of changed prices on the calls of the last days. Nothing is stored. */
  @Post()
  @HttpCode(200)
  @Access('admin')
  @ApiEnvelope(pricePreviewResultSchema)
  async preview(
    @Body({ schema: pricePreviewSchema }) body: PricePreviewRequest,
    @Req() request: FastifyRequest,
  ): Promise<PricePreview> {
    return this.previews.preview(body, () => request.raw.socket.destroyed);
  }
}
