import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OptionValues } from '../options/option-catalogue.js';

/**
 * Counts the ways of one kind an account may sign in by, passkeys for instance.
 * @param options  under which they would have to work: those in force, or those about to be
 */
export type CountWays = (userId: number, options: OptionValues, manager?: EntityManager) => Promise<number>;

/**
 * Sign-in methods other than a password or an identity of the users table. Code that removes a method asks here first, so that the
 * last one stays.
 */
@Injectable()
export class SignInMethods {
  private readonly counts: CountWays[] = [];

  register(count: CountWays): void {
    this.counts.push(count);
  }

  async countOf(userId: number, options: OptionValues, manager?: EntityManager): Promise<number> {
    const counts = await Promise.all(this.counts.map((count) => count(userId, options, manager)));
    return counts.reduce((sum, count) => sum + count, 0);
  }
}
