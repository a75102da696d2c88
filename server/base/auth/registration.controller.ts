import { Body, Controller, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiEnvelope } from '../../common/api/api-envelope.decorator.js';
import { type HumanCheckQuery, humanCheckQuerySchema } from './verification/human-check-query.js';
import { Access } from '../access/access.js';
import { type Registration, registrationSchema } from './dto/login.dto.js';
import { RegistrationService } from './registration.service.js';

/** Registration. */
@ApiTags('account entry')
@Controller('api/user')
export class RegistrationController {
  constructor(private readonly registrations: RegistrationService) {}

  @Post('register')
  @HttpCode(200)
  @Access('public')
  @ApiEnvelope()
  register(
    @Body({ schema: registrationSchema }) input: Registration,
    @Query({ schema: humanCheckQuerySchema }) { turnstile }: HumanCheckQuery,
    @Req() { ip, host }: FastifyRequest,
  ): Promise<void> {
    return this.registrations.register(input, { turnstile, ip, host });
  }
}
