import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilitiesRepository } from './abilities.repository.js';
import { ChannelStore } from './channel-store.js';
import { ChannelSwitch } from './channel-switch.js';
import { ChannelsRepository } from './channels.repository.js';
import { ModelOffers } from './model-offers.js';
import { ChannelEntity } from './channel.entity.js';
import { AbilityEntity } from './ability.entity.js';

/** Storage of channels, for the console and the relay. */
@Module({
  imports: [TypeOrmModule.forFeature([ChannelEntity, AbilityEntity])],
  providers: [ChannelsRepository, AbilitiesRepository, ChannelStore, ChannelSwitch, ModelOffers],
  exports: [ChannelsRepository, AbilitiesRepository, ChannelStore, ChannelSwitch, ModelOffers],
})
export class ChannelStorageModule {}
