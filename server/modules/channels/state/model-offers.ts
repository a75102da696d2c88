import { Injectable } from '@nestjs/common';
import { AbilitiesRepository } from './abilities.repository.js';

/** A group in which a model can be called. */
export interface ModelOffer {
  readonly model: string;
  readonly group: string;
}

/** Which models enabled channels serve, and in which groups. */
@Injectable()
export class ModelOffers {
  constructor(private readonly abilities: AbilitiesRepository) {}

  /** Sorted by model. Fails: with the database's error. */
  async all(): Promise<readonly ModelOffer[]> {
    return this.abilities.enabledOffers();
  }
}
