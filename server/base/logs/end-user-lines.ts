import { Injectable } from '@nestjs/common';
import { LogsRepository } from './logs.repository.js';

/** End users on the log lines of an account. */
@Injectable()
export class EndUserLines {
  constructor(private readonly logs: LogsRepository) {}

  /** Takes the end users off the lines of an account. A second time changes nothing. Fails: with the database's error. */
  async clear(userId: number): Promise<void> {
    await this.logs.clearEndUsers(userId);
  }
}
