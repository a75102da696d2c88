import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiEnvelope } from '../../../common/api/api-envelope.decorator.js';
import { languageOf } from '../../../common/language.js';
import { Access } from '../../access/access.js';
import { type PasswordResetInput, passwordResetSchema } from './dto/verification.dto.js';
import { PasswordReset } from './password-reset.js';
import { ResetProofs } from './reset-proofs.js';

/** Redeeming the link of a forgotten password. */
@ApiTags('account entry')
@Controller('api/user/reset')
export class PasswordResetController {
  constructor(
    private readonly resets: PasswordReset,
    private readonly proofs: ResetProofs,
  ) {}

  /** Answers the new password, this once; a cookie lets this browser see what else signs in. */
  @Post()
  @HttpCode(200)
  @Access('public')
  @ApiEnvelope(z.string())
  async confirm(
    @Body({ schema: passwordResetSchema }) { email, token }: PasswordResetInput,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const language = languageOf(request.headers['accept-language']);
    const { password, userId } = await this.resets.confirm({ email, token }, request.ip, language);
    await this.proofs.issue(userId, reply);
    return password;
  }
}
