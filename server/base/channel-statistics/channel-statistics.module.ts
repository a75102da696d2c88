import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OptionsModule } from '../options/options.module.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { AttemptStatistics } from './attempt-statistics.js';
import { AttemptTotalEntity } from './attempt-total.entity.js';
import { ChannelFailureEntity } from './channel-failure.entity.js';
import { StatisticsRetention } from './statistics-retention.js';

/** Sums of attempts by channel and model: writing, reading, retention. */
@Module({
  imports: [OptionsModule, TypeOrmModule.forFeature([AttemptTotalEntity, ChannelFailureEntity])],
  providers: [AttemptRecorder, AttemptStatistics, StatisticsRetention],
  exports: [AttemptRecorder, AttemptStatistics],
})
export class ChannelStatisticsModule {}
