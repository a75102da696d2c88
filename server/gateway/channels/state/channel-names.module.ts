import { Module } from '@nestjs/common';
import { ChannelNames } from './channel-names.js';

/** Apart from the channels module, so that the log can name channels while channels write to the log. */
@Module({ providers: [ChannelNames], exports: [ChannelNames] })
export class ChannelNamesModule {}
