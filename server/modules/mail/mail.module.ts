import { Module } from '@nestjs/common';
import { MailHealth } from './mail-health.js';
import { Mailer } from './mailer.js';

@Module({ providers: [Mailer, MailHealth], exports: [Mailer, MailHealth] })
export class MailModule {}
