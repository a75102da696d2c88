import { Module } from '@nestjs/common';
import { ChannelOutages } from './channel-outages.js';

/** Which channels are out, for alerts and the status page. */
@Module({ providers: [ChannelOutages], exports: [ChannelOutages] })
export class ChannelWatchModule {}
