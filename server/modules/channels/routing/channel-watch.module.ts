import { Module } from '@nestjs/common';
import { ChannelOutages } from './channel-outages.js';

/** What those who watch ask about channels. */
@Module({ providers: [ChannelOutages], exports: [ChannelOutages] })
export class ChannelWatchModule {}
